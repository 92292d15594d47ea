"""Which runs can have tasks that meet a condition: what is known of a run's tasks without looking at them."""

from collections.abc import Mapping
from typing import assert_never

from fermata.domain.searching.conditions import (
    EVERYTHING,
    WILDCARD,
    Both,
    Condition,
    Either,
    Everything,
    IsNull,
    Not,
    OneOf,
    StartsWith,
    Within,
)
from fermata.domain.searching.fields import (
    CORRELATION_ID,
    END_TIME,
    SCHEDULED_TIME,
    START_TIME,
    TASK_END_TIME,
    TASK_ID,
    TASK_START_TIME,
    TASK_UPDATE_TIME,
    WORKFLOW_ID,
    WORKFLOW_TYPE,
)

_OF_THE_RUN = frozenset({WORKFLOW_ID, WORKFLOW_TYPE, CORRELATION_ID})
_TIMES = frozenset({SCHEDULED_TIME, TASK_START_TIME, TASK_END_TIME, TASK_UPDATE_TIME})


def runs_with(condition: Condition, run_of_task: Mapping[str, str]) -> Condition:
    """Return a condition on runs that holds for every run with such a task. `run_of_task`: the runs of the tasks that are named."""
    match condition:
        case Both(left, right):
            return Both(runs_with(left, run_of_task), runs_with(right, run_of_task))
        case Either(left, right):
            return Either(runs_with(left, run_of_task), runs_with(right, run_of_task))
        case OneOf(field, values) if field == TASK_ID and not any(WILDCARD in str(value) for value in values):
            return OneOf(WORKFLOW_ID, tuple(run_of_task[str(value)] for value in values if value in run_of_task))
        case OneOf(field) | StartsWith(field) | IsNull(field) | Not(OneOf(field) | IsNull(field)) if field in _OF_THE_RUN:
            return condition
        case Within(field, low, high) if field in _TIMES:
            return Both(_began_by(high), EVERYTHING if field == TASK_UPDATE_TIME else _open_at(low))
        case OneOf() | Within() | StartsWith() | IsNull() | Not() | Everything():
            return EVERYTHING
        case _:
            assert_never(condition)


def _began_by(moment: int | None) -> Condition:
    return EVERYTHING if moment is None else Within(START_TIME, None, moment)


def _open_at(moment: int | None) -> Condition:
    return EVERYTHING if moment is None else Either(IsNull(END_TIME), Within(END_TIME, moment, None))
