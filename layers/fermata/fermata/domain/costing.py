"""What a run costs on AWS, estimated from what it holds anyway: how often it was decided, its tasks, its polls.

Units are those that one run of the example definition was measured to take (`tests/moto/test_costing.py` holds the two together), prices
are list prices. Not in it: what the runs that it started cost, logs and traces, payloads in S3, workers that poll and find nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import starmap

from fermata.domain.executions import Task, Workflow
from fermata.domain.http_rules import BadRequestFields
from fermata.domain.poll_settings import poll_settings
from fermata.domain.tasks.http import HTTP
from fermata.domain.tasks.http_poll import HTTP_POLL
from fermata.domain.tasks.registry import type_of
from fermata.domain.tasks.wait import WAIT

# Dollars for one, us-east-1, on demand, arm64; free tiers left out.
PRICES_AS_OF = "2026-11-29"
READ_UNIT, WRITE_UNIT = 0.125e-6, 0.625e-6
SCHEDULE, LAMBDA_REQUEST, QUEUE_REQUEST = 1.00e-6, 0.20e-6, 0.40e-6
LAMBDA_SECOND = 0.0000133334  # at 1 GB, the size of the functions that the template makes
INVOCATION_SECONDS = 0.15  # most of it is the vendor's time

# Write units. A run's row is written twice a decision, with what moves in its indexes; a task's row once or twice.
START_WRITES, DECISION_WRITES, TASK_WRITES, OUTCOME_WRITES = 4.0, 8.0, 3.0, 2.0
POLLING_WRITES = 5.0  # an attempt that polls: its two rows, and their end
POLL_WRITES = 13 / 12  # the hot row, and the ledger's pack at every twelfth poll
WORK_WRITES = 8.0  # a worker's attempt: its row, the queue's index, the hand-out
READS_A_DECISION, READS_A_POLL = 6.0, 1.0
MESSAGE_REQUESTS = 3  # a message by SQS: sent, received, deleted
SCHEDULED_FROM = timedelta(seconds=60)  # below, a wake-up goes by SQS


@dataclass(frozen=True)
class CostEstimate:
    """`requests`: those made of vendors, polls among them. `usd` is in dollars, `prices_as_of` a date."""

    polls: int
    requests: int
    invocations: int
    write_units: float
    read_units: float
    usd: float
    prices_as_of: str = PRICES_AS_OF


@dataclass(frozen=True)
class _Share:
    """What one task attempt adds."""

    polls: int = 0
    requests: int = 0
    invocations: int = 0
    schedules: int = 0
    messages: int = 0
    writes: float = 0.0


def estimate(workflow: Workflow, tasks: Iterable[Task], min_poll_interval: timedelta) -> CostEstimate:
    """Return what the run has cost so far. `tasks`: every attempt it holds, with the polls it has made as `poll_count`."""
    shares = list(starmap(_share, ((task, min_poll_interval) for task in tasks)))
    polls, requests = sum(each.polls for each in shares), sum(each.requests for each in shares)
    invocations = 1 + sum(each.invocations for each in shares)  # the start, at least
    writes = START_WRITES + DECISION_WRITES * workflow.revision + sum(each.writes for each in shares)
    reads = READS_A_DECISION * workflow.revision + READS_A_POLL * polls
    messages, schedules = sum(each.messages for each in shares), sum(each.schedules for each in shares)
    usd = (
        writes * WRITE_UNIT
        + reads * READ_UNIT
        + schedules * SCHEDULE
        + messages * MESSAGE_REQUESTS * QUEUE_REQUEST
        + invocations * (LAMBDA_REQUEST + INVOCATION_SECONDS * LAMBDA_SECOND)
    )
    return CostEstimate(polls, requests, invocations, round(writes, 2), round(reads, 2), round(usd, 9))


def together(estimates: Iterable[CostEstimate]) -> CostEstimate:
    """Return what several runs cost together."""
    every = list(estimates)
    return CostEstimate(
        polls=sum(each.polls for each in every),
        requests=sum(each.requests for each in every),
        invocations=sum(each.invocations for each in every),
        write_units=round(sum(each.write_units for each in every), 2),
        read_units=round(sum(each.read_units for each in every), 2),
        usd=round(sum(each.usd for each in every), 9),
    )


def _share(task: Task, min_poll_interval: timedelta) -> _Share:
    kind = type_of(task)
    if kind.keeps_polls:
        return _polling(task, min_poll_interval)
    if task.queue is not None:  # handed out once, reported once
        ended = OUTCOME_WRITES if task.status.terminal else 0.0
        return _Share(invocations=2 if ended else 1, writes=2 * TASK_WRITES + WORK_WRITES + ended)
    if kind is HTTP:
        made = int(task.start_time is not None)
        return _Share(requests=made, invocations=made, messages=1, writes=(1 + made) * TASK_WRITES + made * OUTCOME_WRITES)
    if kind is WAIT and task.due is not None:
        long = task.due - task.scheduled_time >= SCHEDULED_FROM
        return _Share(invocations=1, schedules=int(long), messages=int(not long), writes=2 * TASK_WRITES)
    # What is over at once is written once; what somebody outside ends is written twice, and its end came in by a request.
    at_once = task.status.terminal and task.end_time == task.scheduled_time
    return _Share(writes=TASK_WRITES) if at_once else _Share(invocations=1, writes=2 * TASK_WRITES + OUTCOME_WRITES)


def _polling(task: Task, min_poll_interval: timedelta) -> _Share:
    polls, ended = task.poll_count, task.status.terminal
    later = max(0, polls - 1)  # the first one comes by a message, at once
    scheduled = later if _by_schedule(task, min_poll_interval) else 0
    return _Share(
        polls=polls,
        requests=polls,
        invocations=polls,
        schedules=scheduled,
        messages=min(polls, 1) + later - scheduled,
        writes=POLLING_WRITES + POLL_WRITES * polls + TASK_WRITES * (1 + ended) + OUTCOME_WRITES * ended,
    )


def _by_schedule(task: Task, min_poll_interval: timedelta) -> bool:
    """Tell whether its polls lie a minute or more apart. One whose fields cannot be read has not polled; a try of an action is quicker."""
    try:
        return type_of(task) is HTTP_POLL and poll_settings(task.input, min_poll_interval).interval >= SCHEDULED_FROM
    except BadRequestFields:
        return False
