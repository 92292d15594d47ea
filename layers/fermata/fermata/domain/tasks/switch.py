"""SWITCH: chooses one branch by a value or a script (Conductor engine reference, 6.2)."""

import json
from collections.abc import Iterable, Mapping

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.inline import KNOWN_EVALUATORS, SCRIPT_EVALUATORS, VALUE_PARAM, script_language
from fermata.domain.tasks.task_type import Branch, Finished, Start, Starting, TaskType, text_expression


def start(starting: Starting) -> Start:
    """Evaluate once and choose. An absent case takes `defaultCase`; a present but empty one means no tasks."""
    step, given = starting.workflow_task, starting.task.input
    expression = step.expression or ""
    if step.evaluator_type == VALUE_PARAM:
        return _branch(step, given.get(expression))
    language = script_language(step.evaluator_type)
    if language is None:
        return Finished(TaskStatus.FAILED, reason=f"evaluatorType '{step.evaluator_type}' is not known; {KNOWN_EVALUATORS}")
    match starting.evaluate(Evaluate(language, expression, json.dumps(dict(given)))):
        case Evaluated(value):
            return _branch(step, value)
        case EvaluationFailed(reason):
            return Finished(TaskStatus.FAILED, reason=reason)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield what is missing, and an evaluator that is not known."""
    reference = task.task_reference_name
    if task.evaluator_type is None:
        yield Violation(f"{path}.evaluatorType", f"evaluatorType is required for SWITCH task {reference}")
    elif task.evaluator_type not in (*SCRIPT_EVALUATORS, VALUE_PARAM):
        message = f"evaluatorType '{task.evaluator_type}' of SWITCH task {reference} is not known; {KNOWN_EVALUATORS}"
        yield Violation(f"{path}.evaluatorType", message, task.evaluator_type)
    if task.expression is None:
        yield Violation(f"{path}.expression", f"expression is required for SWITCH task {reference}")
    if not task.decision_cases:
        yield Violation(f"{path}.decisionCases", f"decisionCases of SWITCH task {reference} must not be empty")


def expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    """Return the script, if the evaluator runs one."""
    script, language = text_expression(task.expression), script_language(task.evaluator_type)
    return {"expression": Evaluate(language, script, "{}")} if script is not None and language else {}


def _branch(step: WorkflowTask, value: Json) -> Branch:
    case = case_name(value)
    chosen = step.decision_cases.get(case, step.default_case)
    additions: dict[str, Json] = {"case": case}
    if chosen:
        additions["hasChildren"] = "true"
    return Branch(chosen, additions, {"evaluationResult": [case], "selectedCase": case})


def case_name(value: Json) -> str:
    """Return the text a result is compared as: null is `null`, true `true`, 1.0 `1`."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


SWITCH = TaskType("SWITCH", start, validate, expressions, knows_own_id=False, names_itself=True, may_retry=False)
