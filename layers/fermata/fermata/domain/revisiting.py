"""What the flow does where it comes to a step that has a record already: one made ahead of time by a skip, or kept by a retry."""

from dataclasses import replace

from fermata.domain.counting import tell_joins
from fermata.domain.deciding import Deciding
from fermata.domain.executions import Task
from fermata.domain.flow import unsuffixed
from fermata.domain.status import TaskStatus


def is_there(deciding: Deciding, record_name: str) -> bool:
    """Tell whether a record must not be started again. The flow jumps over a skipped one the first time it comes to it."""
    found = deciding.record(record_name)
    if found is not None and found.status is TaskStatus.SKIPPED and not found.executed:
        _jump_over(deciding, found)
    return found is not None


def _jump_over(deciding: Deciding, skipped: Task) -> None:
    passed = replace(skipped, executed=True)
    deciding.put(passed)
    following = deciding.flow.successor(unsuffixed(skipped.task_reference_name, skipped.iteration))
    if following is not None:
        deciding.plan(following)
    tell_joins(deciding, passed)
    if skipped.loop:
        deciding.touched_loops.append(skipped.loop)
