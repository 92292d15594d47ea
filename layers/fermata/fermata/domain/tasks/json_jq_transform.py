"""JSON_JQ_TRANSFORM: a jq program over the task's input, evaluated while deciding (Conductor engine reference, 6.16)."""

import json
from collections.abc import Iterable, Mapping

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.task_type import Finished, Start, Starting, TaskType, text_expression


def start(starting: Starting) -> Start:
    """Evaluate: `result` is the first output or null, `resultList` all of them."""
    program = starting.task.input.get("queryExpression")
    if not isinstance(program, str):
        return _failed("inputParameters.queryExpression is missing")
    match starting.evaluate(Evaluate(Language.JQ, program, json.dumps(dict(starting.task.input)))):
        case Evaluated(outputs):
            return Finished(TaskStatus.COMPLETED, {"result": outputs[0] if outputs else None, "resultList": outputs})
        case EvaluationFailed(reason):
            return _failed(reason)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a missing program."""
    template = task.task_definition.input_template if task.task_definition else {}
    if "queryExpression" not in task.input_parameters and "queryExpression" not in template:
        message = f"queryExpression is required for JSON_JQ_TRANSFORM task {task.task_reference_name}"
        yield Violation(f"{path}.inputParameters.queryExpression", message)


def expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    """Return the program, where it stands in the definition."""
    program = text_expression(task.input_parameters.get("queryExpression"))
    return {"inputParameters.queryExpression": Evaluate(Language.JQ, program, "{}")} if program is not None else {}


def _failed(reason: str) -> Finished:
    return Finished(TaskStatus.FAILED, {"error": reason}, reason)


JSON_JQ_TRANSFORM = TaskType("JSON_JQ_TRANSFORM", start, validate, expressions, merges_template=True)
