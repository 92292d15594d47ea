"""How a SWITCH or DECISION goes on in its branch, also one that a dynamic fork added (Conductor engine reference, 3.3, 6.2 and 6.6)."""

from dataclasses import replace

from fermata.domain.counting import finish_now, join_of
from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.executions import Task
from fermata.domain.flow import suffixed
from fermata.domain.json_value import JsonObject
from fermata.domain.planning import Spot


def go_on(deciding: Deciding, task: Task, chosen: tuple[WorkflowTask, ...], output: JsonObject) -> None:
    """Complete a SWITCH and plan the first task of its branch.

    Nothing follows a task that stands in no definition. So behind a dynamic fork a branch is its first task, and the JOIN awaits that
    one in the place of the SWITCH; the record of the SWITCH names what is left out.
    """
    if task.step is None:
        finish_now(deciding, task, output)
        deciding.plan(chosen[0])
        return
    finish_now(deciding, replace(task, reason_for_incompletion=_left_out(chosen)), output)
    _stand_in(deciding, task, suffixed(chosen[0].task_reference_name, task.iteration))
    deciding.plan_next(chosen[0], Spot(task.loop, task.iteration, task.joined_by, own_step=True))


def taken(deciding: Deciding, task: Task, chosen: tuple[WorkflowTask, ...]) -> str | None:
    """Return why a SWITCH that a dynamic fork added cannot take this branch: its task's name is in the run already. None: it can."""
    if task.step is None or not chosen or deciding.record(suffixed(chosen[0].task_reference_name, task.iteration)) is None:
        return None
    return f"{task.task_reference_name} chose {chosen[0].task_reference_name}, which is in the run already; reference names must be unique"


def _stand_in(deciding: Deciding, task: Task, chosen: str) -> None:
    """Have the fork's JOIN await the chosen record: the one that is open, after a retry or a rerun; else the one that is about to start."""
    own, name_of_join = task.task_reference_name, join_of(deciding, task)
    join = deciding.record(name_of_join) if name_of_join else None
    if join is None or join.status.terminal:
        deciding.stand_ins[own] = chosen
    else:
        names = [chosen if name == own else name for name in join.input.get("joinOn", ())]
        deciding.put(replace(join, input={**join.input, "joinOn": names}))


def _left_out(chosen: tuple[WorkflowTask, ...]) -> str | None:
    names = ", ".join(step.task_reference_name for step in chosen[1:])
    return f"Behind a dynamic fork only a branch's first task runs, not {names}; put more than one into a SUB_WORKFLOW" if names else None
