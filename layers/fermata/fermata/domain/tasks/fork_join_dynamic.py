"""FORK_JOIN_DYNAMIC: starts tasks that stand in the run's data (Conductor engine reference, 6.6)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fermata.domain.definitions import SubWorkflowParam, WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.expressions.text import has_half_a_pair, text_of
from fermata.domain.json_value import Json
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.steps import changed
from fermata.domain.tasks.task_type import EndWorkflow, ForkSteps, Start, Starting, TaskType


def start(starting: Starting) -> Start:
    """Read the forked tasks from the input in one of Conductor's three ways; what cannot be read ends the run."""
    try:
        steps = _steps(starting)
    except (ValueError, TypeError) as error:
        reason = f"FORK_JOIN_DYNAMIC {starting.workflow_task.task_reference_name}: {error}"
        return EndWorkflow(WorkflowStatus.FAILED, None, reason, TaskStatus.FAILED)
    names = [step.task_reference_name for step in steps]
    return ForkSteps(tuple(steps), {"forkedTasks": names, "forkedTaskDefs": names})


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a step that does not say where its tasks come from."""
    pair = task.dynamic_fork_tasks_param and task.dynamic_fork_tasks_input_param_name
    if "forkTaskInputs" in task.input_parameters or bool(pair) != bool(task.dynamic_fork_join_tasks_param):
        return
    message = "give forkTaskInputs, or dynamicForkTasksParam with dynamicForkTasksInputParamName, or dynamicForkJoinTasksParam"
    yield Violation(f"{path}.dynamicForkTasksParam", f"FORK_JOIN_DYNAMIC task {task.task_reference_name}: {message}")


def _steps(starting: Starting) -> list[WorkflowTask]:
    step, given = starting.workflow_task, starting.task.input
    elements = given.get("forkTaskInputs")
    if isinstance(elements, list):
        found = [_from_element(starting, index, element) for index, element in enumerate(_few_enough(starting, elements))]
    elif step.dynamic_fork_tasks_param and step.dynamic_fork_tasks_input_param_name:
        inputs = given.get(step.dynamic_fork_tasks_input_param_name)
        found = _from_list(starting, given.get(step.dynamic_fork_tasks_param), inputs)
    else:
        found = _from_legacy(starting, given.get(step.dynamic_fork_join_tasks_param or ""))
    return [replace(task, optional=task.optional or step.optional) for task in found]


def _few_enough(starting: Starting, listed: list[Json]) -> list[Json]:
    """Return what is listed, none of which is read before its number is known to be allowed."""
    if len(listed) > starting.limits.max_fork_branches:
        raise ValueError(starting.limits.branches_reason(len(listed)))
    return listed


def _from_element(starting: Starting, index: int, element: Json) -> WorkflowTask:
    given = starting.task.input
    task_type = text_of(given.get("forkTaskType") or "SIMPLE")
    name = text_of(given.get("forkTaskName") or (task_type if task_type != "SIMPLE" else starting.workflow_task.task_reference_name))
    if has_half_a_pair(name):
        raise ValueError("forkTaskName must not contain half of a surrogate pair")
    fields = dict(element) if isinstance(element, Mapping) else {"input": element}
    domains = fields.pop("taskToDomain", None)
    reference = f"_{name}_{index}" if not starting.forked_before else f"_{starting.workflow_task.task_reference_name}_{name}_{index}"
    step = WorkflowTask(name, reference, task_type, input_parameters={**fields, "__index": index})
    workflow, version = given.get("forkTaskWorkflow"), given.get("forkTaskWorkflowVersion")
    if not workflow:
        return step
    param = SubWorkflowParam(name=text_of(workflow), version=_version(version), task_to_domain=domains)
    return replace(step, type="SUB_WORKFLOW", sub_workflow_param=param)


def _version(given: Json) -> int | None:
    try:
        return int(given) if given else None
    except (TypeError, ValueError) as error:
        raise ValueError(f"forkTaskWorkflowVersion must be a whole number, not '{text_of(given)[:100]}'") from error


def _from_list(starting: Starting, tasks: Json, inputs: Json) -> list[WorkflowTask]:
    if not isinstance(tasks, list) or not isinstance(inputs, Mapping):
        raise TypeError("the list of tasks or the map of their inputs is missing or of the wrong kind")
    steps = [starting.read_step(task) for task in _few_enough(starting, tasks)]
    # The map may also name what a SWITCH in the list chooses.
    return [changed(step, lambda each: replace(each, input_parameters=_input_of(each, inputs))) for step in steps]


def _input_of(step: WorkflowTask, inputs: Mapping[str, Json]) -> Mapping[str, Json]:
    own = inputs.get(step.task_reference_name, {})
    if not isinstance(own, Mapping):
        raise TypeError(f"the input of {step.task_reference_name} is not an object")
    return {**step.input_parameters, **own}


def _from_legacy(starting: Starting, given: Json) -> list[WorkflowTask]:
    tasks = given.get("dynamicTasks") if isinstance(given, Mapping) else None
    if not isinstance(tasks, list):
        raise TypeError("dynamicTasks is not a list")
    return [starting.read_step(_modern(task)) for task in _few_enough(starting, tasks)]


def _modern(task: Json) -> Json:
    if not isinstance(task, Mapping):
        raise TypeError("an element of dynamicTasks is not an object")
    names = {"name": task.get("taskName"), "taskReferenceName": task.get("referenceName"), "type": task.get("type") or "SIMPLE"}
    return {**names, "inputParameters": task.get("input") or {}}


FORK_JOIN_DYNAMIC = TaskType(
    "FORK_JOIN_DYNAMIC", start, validate, knows_own_id=False, names_itself=True, may_retry=False, record_name="FORK"
)
