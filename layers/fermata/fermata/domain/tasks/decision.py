"""DECISION: chooses one branch (Conductor engine reference, 6.3). Deprecated there in favour of SWITCH."""

import json
from collections.abc import Iterable, Mapping

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.switch import case_name
from fermata.domain.tasks.task_type import Branch, EndWorkflow, Start, Starting, TaskType, text_expression


def start(starting: Starting) -> Start:
    """Choose by the script, else by the input that `caseValueParam` names. A script error ends the run."""
    step, given = starting.workflow_task, starting.task.input
    if not step.case_expression:
        return _branch(step, given.get(step.case_value_param or ""))
    question = Evaluate(Language.JAVASCRIPT, step.case_expression, json.dumps(dict(given)), function_body="return" in step.case_expression)
    match starting.evaluate(question):
        case Evaluated(value):
            return _branch(step, value)
        case EvaluationFailed(reason):
            return EndWorkflow(WorkflowStatus.FAILED, None, f"DECISION {step.task_reference_name}: {reason}", TaskStatus.FAILED)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield what is missing."""
    name = task.task_reference_name
    if not task.case_value_param and not task.case_expression:
        yield Violation(f"{path}.caseValueParam", f"caseValueParam or caseExpression is required for DECISION task {name}")
    if not task.decision_cases:
        yield Violation(f"{path}.decisionCases", f"decisionCases of DECISION task {name} must not be empty")


def expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    """Return the script, where there is one."""
    script = text_expression(task.case_expression)
    if not script:
        return {}
    return {"caseExpression": Evaluate(Language.JAVASCRIPT, script, "{}", function_body="return" in script)}


def _branch(step: WorkflowTask, value: Json) -> Branch:
    """Choose. Unlike SWITCH, an empty case takes the default too."""
    case = case_name(value)
    chosen = step.decision_cases.get(case) or step.default_case
    additions: dict[str, Json] = {"case": case, **({"hasChildren": "true"} if chosen else {})}
    return Branch(chosen, additions, {"caseOutput": [case]})


DECISION = TaskType("DECISION", start, validate, expressions, knows_own_id=False, names_itself=True, may_retry=False)
