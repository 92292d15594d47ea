"""What one try of an action leads to: another one at a moment, or its end. The ledger and the hot row are those of HTTP_POLL."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from fermata.domain.airpipe.actions import Action
from fermata.domain.airpipe.entries import FAILED, SUCCEEDED
from fermata.domain.airpipe.requesting import Tried
from fermata.domain.airpipe.retrying import jittered_wait
from fermata.domain.json_value import JsonObject
from fermata.domain.outcomes import MAX_REASON_CHARACTERS, Outcome
from fermata.domain.poll_conclusion import Again, Over, Step
from fermata.domain.poll_timing import parse_retry_after
from fermata.domain.polling import LedgerEntry, PollDecision, PollSpec, PollState
from fermata.domain.status import TaskStatus

LONGEST_WISH = timedelta(hours=1)  # of a Retry-After where there is no max_delay: a vendor cannot park a run for years


@dataclass(frozen=True)
class Made:
    """A try as it happened. `entry` is the one to keep if it was the last."""

    fired: datetime
    done: datetime
    tried: Tried


def concluded(action: Action, spec: PollSpec, state: PollState, made: Made) -> Step:
    """Return what a try leads to: the end when it succeeded, when another cannot help, or when it was the last."""
    tried = made.tried
    counted = replace(state, polls_made=state.polls_made + 1, started_at=state.started_at or made.fired)
    succeeded = tried.entry["result"] == SUCCEEDED
    if not succeeded and tried.again and counted.polls_made < action.retry.attempts:
        due = made.done + wait_until_next(action, spec.task_id, counted.polls_made, made)
        decision = PollDecision.AGAIN if tried.status_code is not None and tried.retry_after is None else PollDecision.ERROR
        return Again(_entered(counted, made, decision, due))
    if succeeded:
        decision = PollDecision.DONE
    else:
        used_up = tried.again and action.retry.attempts > 1
        decision = PollDecision.EXHAUSTED if used_up else PollDecision.FAILED
    after = _entered(counted, made, decision, None)
    return Over(after, _outcome(spec, after, made))


def wait_until_next(action: Action, task_id: str, attempt: int, made: Made) -> timedelta:
    """Return the wait: the retry block's, or what the answer wished for where that is longer, up to `max_delay`."""
    wait = jittered_wait(action.retry, attempt, chance_of(task_id, attempt))
    wished = parse_retry_after(made.tried.retry_after, made.done) if made.tried.retry_after else None
    if wished is None:
        return wait
    longest = action.retry.max_delay if action.retry.max_delay is not None else LONGEST_WISH
    return max(wait, min(wished - made.done, longest))


def chance_of(task_id: str, attempt: int) -> float:
    """Return a number from 0 to 1 that is always the same for a try, and unlike that of any other."""
    drawn = hashlib.sha256(f"{task_id}/{attempt}".encode()).digest()[:6]
    return int.from_bytes(drawn) / 2**48


def status_of(entry: JsonObject) -> TaskStatus:
    """Return the status of a task whose output is this entry."""
    if entry["result"] == SUCCEEDED:
        return TaskStatus.COMPLETED
    return TaskStatus.FAILED if entry["result"] == FAILED else TaskStatus.SKIPPED


def reason_of(entry: JsonObject) -> str | None:
    """Return why an action failed, in a line."""
    told = [entry["error"]] if "error" in entry else list(entry.get("errors", ()))
    return "; ".join(told)[:MAX_REASON_CHARACTERS] if entry["result"] == FAILED else None


def _entered(counted: PollState, made: Made, decision: PollDecision, due: datetime | None) -> PollState:
    tried = made.tried
    entry = LedgerEntry(counted.polls_made, counted.due, made.fired, tried.latency, tried.status_code, decision, due)
    return replace(counted, due=due or counted.due, is_open=due is not None, recent=(*counted.recent, entry))


def _outcome(spec: PollSpec, after: PollState, made: Made) -> Outcome:
    entry = {**made.tried.entry, "timeMs": (made.done - made.fired) // timedelta(milliseconds=1)}
    return Outcome(
        task_id=spec.task_id,
        workflow_id=spec.workflow_id,
        status=status_of(entry),
        at=made.done,
        output=entry,
        reason=reason_of(entry),
        started_at=after.started_at,
        poll_count=after.polls_made,
    )
