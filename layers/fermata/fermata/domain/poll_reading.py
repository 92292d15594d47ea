"""What one poll's result is, and how its condition judges it. What follows from it is concluded elsewhere."""

from dataclasses import dataclass
from typing import TypeAlias

from fermata.domain.http_exchange import HttpAnswer, HttpFailure, HttpResult
from fermata.domain.http_rules import UnreadableBody, accepts, is_html, read_body, response_document
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.output_filter import FilterFailed, filtered
from fermata.domain.poll_settings import PollSettings
from fermata.domain.polling import PollDecision, PollSpec
from fermata.domain.questions import Evaluated, EvaluationFailed, EvaluationResult

SLOW_DOWN_STATUSES = frozenset({408, 425, 429, 503})


@dataclass(frozen=True)
class Accepted:
    """An answer the condition may judge. `response` is Conductor's map as it came, `kept` the one to store, filtered."""

    response: JsonObject
    kept: JsonObject


@dataclass(frozen=True)
class SlowDown:
    """The vendor asks for patience; not an error."""

    kept: JsonObject


@dataclass(frozen=True)
class PollError:
    """This poll failed; a few in a row fail the task. `kept` is None when there was no answer at all."""

    reason: str
    kept: JsonObject | None = None


Reading: TypeAlias = Accepted | SlowDown | PollError


def read(settings: PollSettings, result: HttpResult) -> Reading:
    """Return what the result is, before any condition. A status the definition accepts is never an error."""
    match result:
        case HttpFailure(reason=reason):
            return PollError(reason)
        case HttpAnswer() as answer:
            response = response_document(answer)
            try:
                kept = filtered(settings.output_filter, response)
            except FilterFailed as error:
                return PollError(str(error), {**response, "body": None})
            if accepts(settings.accepted, answer.status_code):
                unreadable = _unreadable(settings, answer)
                return PollError(unreadable, kept) if unreadable else Accepted(response, kept)
            if answer.status_code in SLOW_DOWN_STATUSES:
                return SlowDown(kept)
            return PollError(f"the vendor answered {answer.status_code} {answer.reason_phrase}".strip(), kept)


def _unreadable(settings: PollSettings, answer: HttpAnswer) -> str | None:
    if is_html(answer) and not settings.asks_for_html:
        return 'the vendor answered with an HTML page; if that is what you poll, set accept to "text/html"'
    body = read_body(answer)
    return body.reason if isinstance(body, UnreadableBody) else None


def condition_subject(spec: PollSpec, response: JsonObject) -> dict[str, Json]:
    """Return what a condition sees as `$`: `output` (nested and flat), `input`, and earlier tasks by reference name."""
    return {**spec.context, "input": dict(spec.input), "output": {**response, "response": dict(response)}}


def verdict(result: EvaluationResult) -> PollDecision | PollError:
    """Judge a condition's value: numbers by their sign, everything else by JavaScript truthiness; an error is a poll error."""
    match result:
        case EvaluationFailed(reason):
            return PollError(f"terminationCondition: {reason}")
        case Evaluated(bool() as value):
            return PollDecision.DONE if value else PollDecision.AGAIN
        case Evaluated((int() | float()) as number):
            return PollDecision.DONE if number > 0 else PollDecision.FAILED if number < 0 else PollDecision.AGAIN
        case Evaluated(value):
            return PollDecision.AGAIN if value is None or value == "" else PollDecision.DONE
