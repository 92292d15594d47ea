"""What one poll of an HTTP_POLL task leads to. Values in, value out: the contract of `HTTP_POLL` stands here.

A poll is admitted (is it the next one, and due?), its result is read, its condition is judged, and the step concluded:
poll again at a moment, or over with an outcome.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TypeAlias

from fermata.domain.http_exchange import HttpAnswer, HttpFailure, HttpResult
from fermata.domain.http_rules import UnreadableBody, accepts, header, read_body, response_document
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.messages import PollDue
from fermata.domain.outcomes import MAX_REASON_CHARACTERS, Outcome
from fermata.domain.output_filter import FilterFailed, filtered
from fermata.domain.poll_settings import PollingStrategy, PollSettings
from fermata.domain.polling import LedgerEntry, PollDecision, PollSpec, PollState
from fermata.domain.questions import Evaluated, EvaluationFailed, EvaluationResult
from fermata.domain.status import TaskStatus

SLOW_DOWN_STATUSES = frozenset({408, 425, 429, 503})
ALARM_PRECISION = timedelta(seconds=60)  # an alarm fires somewhere within the named minute
_FASTEST_DOUBLING = 40  # 2^40 seconds is past every cap; the exponent stops there


# --- is it time? ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stale:
    """This poll was made already, or the attempt is over: nothing to do."""


@dataclass(frozen=True)
class Early:
    """Not due yet. `rearm_at` is set when this delivery was the alarm itself, fired early within its precision."""

    rearm_at: datetime | None


@dataclass(frozen=True)
class Due:
    """Make poll number `poll` now."""

    poll: int


Admission: TypeAlias = Stale | Early | Due


def admit(state: PollState, message: PollDue, now: datetime) -> Admission:
    """Tell whether a delivery leads to a poll. A number ahead of the state comes from an alarm whose poll was never stored:
    it re-does that poll. A delivery that comes too early is not a poll.
    """
    if not state.is_open or message.poll <= state.polls_made:
        return Stale()
    if now < state.due:
        return Early(state.due if state.due - now <= ALARM_PRECISION else None)
    return Due(state.polls_made + 1)


# --- what came back? ------------------------------------------------------------------------------------------------


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
                body = read_body(answer)
                return PollError(body.reason, kept) if isinstance(body, UnreadableBody) else Accepted(response, kept)
            if answer.status_code in SLOW_DOWN_STATUSES:
                return SlowDown(kept)
            return PollError(f"the vendor answered {answer.status_code} {answer.reason_phrase}".strip(), kept)


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


# --- and then? ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Looked:
    """One poll as it happened: when it was made, what came back and how it was judged (None: not judged)."""

    fired: datetime
    result: HttpResult
    reading: Reading
    judged: PollDecision | None


@dataclass(frozen=True)
class Again:
    """Poll once more at `after.due`."""

    after: PollState


@dataclass(frozen=True)
class Over:
    """The attempt is over."""

    after: PollState
    outcome: Outcome


Step: TypeAlias = Again | Over


def conclude(settings: PollSettings, spec: PollSpec, state: PollState, looked: Looked, now: datetime) -> Step:
    """Return what this poll leads to. A met or refused condition wins over every ceiling; then the error budget, then the ceilings."""
    made = state.polls_made + 1
    errors = state.errors_in_a_row + 1 if isinstance(looked.reading, PollError) else 0
    decision = looked.judged or _unjudged(looked.reading)
    ended = _end(settings, spec, made, errors, decision, looked, now)
    if ended is None:
        due = next_due(settings, spec, made, now, _retry_after(looked.result, now))
        return Again(_after(state, looked, made, errors, decision, due))
    shown, status, reason = ended
    after = _after(state, looked, made, errors, shown, None)
    return Over(after, _outcome(spec, after, status, shown, reason, looked, now))


def next_due(settings: PollSettings, spec: PollSpec, polls_made: int, now: datetime, retry_after: datetime | None) -> datetime:
    """Return when the next poll is due: the interval of the strategy or Retry-After, the later, both bounded by
    `maxPollingInterval`; never after the deadline, where a last look is taken.
    """
    due = now + interval_after(settings, polls_made)
    if retry_after is not None:
        due = max(due, min(retry_after, now + settings.max_interval))
    limit = deadline_of(settings, spec)
    return min(due, limit) if limit else due


def interval_after(settings: PollSettings, polls_made: int) -> timedelta:
    """Return the wait after `polls_made` polls (from 1): FIXED i; LINEAR i*k; EXPONENTIAL i*2^(k-1); capped."""
    match settings.strategy:
        case PollingStrategy.FIXED:
            return settings.interval
        case PollingStrategy.LINEAR_BACKOFF:
            factor = polls_made
        case PollingStrategy.EXPONENTIAL_BACKOFF:
            factor = 2 ** min(polls_made - 1, _FASTEST_DOUBLING)
    seconds = min(settings.interval.total_seconds() * factor, settings.max_interval.total_seconds())
    return timedelta(seconds=seconds)


def deadline_of(settings: PollSettings, spec: PollSpec) -> datetime | None:
    """Return the moment of the last look, or None."""
    return spec.opened_at + settings.deadline if settings.deadline else None


def parse_retry_after(text: str, now: datetime) -> datetime | None:
    """Return the moment of a Retry-After value, seconds or an HTTP date (RFC 9110, 10.2.3), or None when it is neither."""
    stripped = text.strip()
    if stripped.isascii() and stripped.isdigit():
        return now + timedelta(seconds=min(int(stripped[:12]), 10**8))
    try:
        moment = parsedate_to_datetime(stripped)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _unjudged(reading: Reading) -> PollDecision:
    match reading:
        case Accepted():
            return PollDecision.DONE  # no condition: any accepted answer is the end
        case SlowDown():
            return PollDecision.SLOW_DOWN
        case PollError():
            return PollDecision.ERROR


def _end(
    settings: PollSettings, spec: PollSpec, made: int, errors: int, decision: PollDecision, looked: Looked, now: datetime
) -> tuple[PollDecision, TaskStatus, str | None] | None:
    if decision is PollDecision.DONE:
        return decision, TaskStatus.COMPLETED, None
    if decision is PollDecision.FAILED:
        return decision, TaskStatus.FAILED, "terminationCondition answered a negative number: the job is not to be waited for"
    if isinstance(looked.reading, PollError) and errors >= settings.errors_in_a_row:
        counted = "1 poll failed" if errors == 1 else f"{errors} polls in a row failed"
        return PollDecision.ERROR, TaskStatus.FAILED, f"{counted}; the last one: {looked.reading.reason}"
    ceiling = _ceiling(settings, spec, made, looked.fired, now)
    if ceiling is None:
        return None
    last = f"; the last poll failed: {looked.reading.reason}" if isinstance(looked.reading, PollError) else ""
    return PollDecision.EXHAUSTED, TaskStatus.FAILED, f"{ceiling}{last}"


def _ceiling(settings: PollSettings, spec: PollSpec, made: int, fired: datetime, now: datetime) -> str | None:
    took = f"{made} polls in {_spell(now - spec.opened_at)}"
    if made >= settings.max_poll_count:
        return f"Polling exhausted after {took}: maxPollCount is {settings.max_poll_count} and the condition was never met"
    limit = deadline_of(settings, spec)
    if limit is not None and fired >= limit:
        seconds = int((settings.deadline or timedelta()).total_seconds())
        return f"Polling exhausted after {took}: pollDeadlineSeconds is {seconds} and the condition was never met"
    return None


def _after(state: PollState, looked: Looked, made: int, errors: int, decision: PollDecision, due: datetime | None) -> PollState:
    status_code = looked.result.status_code if isinstance(looked.result, HttpAnswer) else None
    entry = LedgerEntry(made, state.due, looked.fired, looked.result.latency, status_code, decision, due)
    return replace(
        state,
        due=due or state.due,
        polls_made=made,
        errors_in_a_row=errors,
        is_open=due is not None,
        started_at=state.started_at or looked.fired,
        recent=(*state.recent, entry),
    )


def _outcome(
    spec: PollSpec, after: PollState, status: TaskStatus, decision: PollDecision, reason: str | None, looked: Looked, now: datetime
) -> Outcome:
    output: dict[str, Json] = {"outcome": decision.value}
    if looked.reading.kept is not None:
        output["response"] = dict(looked.reading.kept)
    return Outcome(
        task_id=spec.task_id,
        workflow_id=spec.workflow_id,
        status=status,
        at=now,
        output=output,
        reason=reason[:MAX_REASON_CHARACTERS] if reason else None,
        started_at=after.started_at,
        poll_count=after.polls_made,
    )


def _retry_after(result: HttpResult, now: datetime) -> datetime | None:
    text = header(result, "retry-after") if isinstance(result, HttpAnswer) else None
    return parse_retry_after(text, now) if text else None


def _spell(duration: timedelta) -> str:
    return str(timedelta(seconds=int(duration.total_seconds())))
