"""LAMBDA: a script that returns (Conductor engine reference, 6.18). Deprecated there in favour of INLINE."""

import json
from collections.abc import Iterable, Mapping

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.task_type import Finished, Start, Starting, TaskType, text_expression


def start(starting: Starting) -> Start:
    """Evaluate the script as the body of a function."""
    script = starting.task.input.get("scriptExpression")
    if not isinstance(script, str) or not script.strip():
        reason = "inputParameters.scriptExpression is empty"
        return Finished(TaskStatus.FAILED, {"error": reason}, reason)
    match starting.evaluate(Evaluate(Language.JAVASCRIPT, script, json.dumps(dict(starting.task.input)), function_body=True)):
        case Evaluated(value):
            return Finished(TaskStatus.COMPLETED, {"result": value})
        case EvaluationFailed(reason):
            return Finished(TaskStatus.FAILED, {"error": reason}, reason)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a missing script."""
    if not task.input_parameters.get("scriptExpression"):
        message = f"scriptExpression is required for LAMBDA task {task.task_reference_name}"
        yield Violation(f"{path}.inputParameters.scriptExpression", message)


def expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    """Return the script, where it stands in the definition."""
    script = text_expression(task.input_parameters.get("scriptExpression"))
    if not script:
        return {}
    return {"inputParameters.scriptExpression": Evaluate(Language.JAVASCRIPT, script, "{}", function_body=True)}


LAMBDA = TaskType("LAMBDA", start, validate, expressions, merges_template=True)
