"""INLINE: a script over the task's input, evaluated while deciding (Conductor engine reference, 6.17)."""

import json
from collections.abc import Iterable, Mapping

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.task_type import Finished, Start, Starting, TaskType, text_expression

# The evaluators that run a script, by Conductor's names (engine reference, section 10).
SCRIPT_EVALUATORS: Mapping[str, Language] = {
    "javascript": Language.JAVASCRIPT,
    "graaljs": Language.JAVASCRIPT,
    "python": Language.PYTHON,
}
VALUE_PARAM = "value-param"
KNOWN_EVALUATORS = f"use javascript, python or {VALUE_PARAM}"


def start(starting: Starting) -> Start:
    """Evaluate. A wrong script fails for good; one that was stopped fails and may be retried."""
    given = starting.task.input
    evaluator, expression = given.get("evaluatorType", "javascript"), given.get("expression")
    if not isinstance(expression, str) or not expression.strip():
        return _failed(TaskStatus.FAILED_WITH_TERMINAL_ERROR, "inputParameters.expression is empty")
    if evaluator == VALUE_PARAM:
        return Finished(TaskStatus.COMPLETED, {"result": given.get(expression)})
    language = script_language(evaluator)
    if language is None:
        return _failed(TaskStatus.FAILED_WITH_TERMINAL_ERROR, f"evaluatorType '{evaluator}' is not known; {KNOWN_EVALUATORS}")
    match starting.evaluate(Evaluate(language, expression, json.dumps(dict(given)))):
        case Evaluated(value):
            return Finished(TaskStatus.COMPLETED, {"result": value})
        case EvaluationFailed(reason, timed_out):
            return _failed(TaskStatus.FAILED if timed_out else TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a missing expression and an evaluator that is not known."""
    given = task.input_parameters
    if not given.get("expression"):
        yield Violation(f"{path}.inputParameters.expression", f"expression is required for INLINE task {task.task_reference_name}")
    evaluator = given.get("evaluatorType", "javascript")
    if text_expression(evaluator) and evaluator not in (*SCRIPT_EVALUATORS, VALUE_PARAM):
        message = f"evaluatorType '{evaluator}' of INLINE task {task.task_reference_name} is not known; {KNOWN_EVALUATORS}"
        yield Violation(f"{path}.inputParameters.evaluatorType", message, evaluator)


def expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    """Return the script, where it stands in the definition."""
    script = text_expression(task.input_parameters.get("expression"))
    language = script_language(task.input_parameters.get("evaluatorType", "javascript"))
    return {"inputParameters.expression": Evaluate(language, script, "{}")} if script is not None and language else {}


def script_language(evaluator: Json) -> Language | None:
    """Return what an evaluator's scripts are written in; None for an evaluator that runs none."""
    return SCRIPT_EVALUATORS.get(evaluator) if isinstance(evaluator, str) else None


def _failed(status: TaskStatus, reason: str) -> Finished:
    return Finished(status, {"error": reason}, reason)


INLINE = TaskType("INLINE", start, validate, expressions, merges_template=True)
