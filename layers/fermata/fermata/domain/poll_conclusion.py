"""What one poll leads to: another one at a moment, or the end of the attempt with an outcome."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from fermata.domain.http_exchange import HttpAnswer, HttpResult
from fermata.domain.http_rules import header
from fermata.domain.outcomes import MAX_REASON_CHARACTERS, Outcome
from fermata.domain.poll_reading import Accepted, PollError, Reading, SlowDown
from fermata.domain.poll_settings import PollSettings
from fermata.domain.poll_timing import deadline_of, next_due, parse_retry_after
from fermata.domain.polling import LedgerEntry, PollDecision, PollSpec, PollState
from fermata.domain.remote_state import remote_state
from fermata.domain.status import TaskStatus

if TYPE_CHECKING:
    from fermata.domain.json_value import Json


@dataclass(frozen=True)
class Looked:
    """One poll as it happened: when it was made and done, what came back and how it was judged (None: not judged)."""

    fired: datetime
    done: datetime
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


@dataclass(frozen=True)
class _End:
    decision: PollDecision
    status: TaskStatus
    reason: str | None = None


def conclude(settings: PollSettings, spec: PollSpec, state: PollState, looked: Looked) -> Step:
    """Return what this poll leads to. A met or refused condition wins over every ceiling; then the error budget, then the ceilings."""
    error = looked.reading if isinstance(looked.reading, PollError) else None
    counted = replace(
        state,
        polls_made=state.polls_made + 1,
        errors_in_a_row=state.errors_in_a_row + 1 if error else 0,
        started_at=state.started_at or looked.fired,
    )
    decision = looked.judged or _unjudged(looked.reading)
    end = _judged_end(decision) or _error_end(settings, counted, error) or _ceiling_end(settings, spec, counted, looked, error)
    if end:
        after = _entered(counted, looked, end.decision, None)
        return Over(after, _outcome(spec, after, end, looked))
    due = next_due(settings, spec, counted.polls_made, looked.done, _retry_after(looked))
    return Again(_entered(counted, looked, decision, due))


def _unjudged(reading: Reading) -> PollDecision:
    match reading:
        case Accepted():
            return PollDecision.DONE  # no condition: any accepted answer is the end
        case SlowDown():
            return PollDecision.SLOW_DOWN
        case PollError():
            return PollDecision.ERROR


def _judged_end(decision: PollDecision) -> _End | None:
    if decision is PollDecision.DONE:
        return _End(decision, TaskStatus.COMPLETED)
    if decision is PollDecision.FAILED:
        return _End(decision, TaskStatus.FAILED, "terminationCondition answered a negative number: the job is not to be waited for")
    return None


def _error_end(settings: PollSettings, counted: PollState, error: PollError | None) -> _End | None:
    errors = counted.errors_in_a_row
    if error is None or errors < settings.errors_in_a_row:
        return None
    polls = "1 poll failed" if errors == 1 else f"{errors} polls in a row failed"
    return _End(PollDecision.ERROR, TaskStatus.FAILED, f"{polls}; the last one: {error.reason}")


def _ceiling_end(settings: PollSettings, spec: PollSpec, counted: PollState, looked: Looked, error: PollError | None) -> _End | None:
    limit = deadline_of(settings, spec)
    if counted.polls_made >= settings.max_poll_count:
        ceiling = f"maxPollCount is {settings.max_poll_count}"
    elif limit is not None and looked.fired >= limit:
        ceiling = f"pollDeadlineSeconds is {int((limit - spec.opened_at).total_seconds())}"
    else:
        return None
    took = f"{counted.polls_made} polls in {_spell(looked.done - spec.opened_at)}"
    last = f"; the last poll failed: {error.reason}" if error else ""
    reason = f"Polling exhausted after {took}: {ceiling} and the condition was never met{last}"
    return _End(PollDecision.EXHAUSTED, TaskStatus.FAILED, reason)


def _entered(counted: PollState, looked: Looked, decision: PollDecision, due: datetime | None) -> PollState:
    status_code = looked.result.status_code if isinstance(looked.result, HttpAnswer) else None
    said = remote_state(looked.reading.kept) if isinstance(looked.reading, Accepted) else None
    news = said if said != counted.remote_state else None
    entry = LedgerEntry(counted.polls_made, counted.due, looked.fired, looked.result.latency, status_code, decision, due, news)
    told = replace(counted, remote_state=news, remote_since=looked.fired) if news else counted
    return replace(told, due=due or counted.due, is_open=due is not None, recent=(*counted.recent, entry))


def _outcome(spec: PollSpec, after: PollState, end: _End, looked: Looked) -> Outcome:
    output: dict[str, Json] = {"outcome": end.decision.value}
    if looked.reading.kept is not None:
        output["response"] = dict(looked.reading.kept)
    return Outcome(
        task_id=spec.task_id,
        workflow_id=spec.workflow_id,
        status=end.status,
        at=looked.done,
        output=output,
        reason=end.reason[:MAX_REASON_CHARACTERS] if end.reason else None,
        started_at=after.started_at,
        poll_count=after.polls_made,
    )


def _retry_after(looked: Looked) -> datetime | None:
    text = header(looked.result, "retry-after") if isinstance(looked.result, HttpAnswer) else None
    return parse_retry_after(text, looked.done) if text else None


def _spell(duration: timedelta) -> str:
    return str(timedelta(seconds=int(duration.total_seconds())))
