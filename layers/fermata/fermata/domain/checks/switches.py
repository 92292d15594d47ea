"""A SWITCH on a polled value whose default is empty: an answer nobody thought of goes on as if all were well."""

from collections.abc import Iterable

from fermata.domain.checks.reachable import BRANCHING
from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.definitions import WorkflowTask
from fermata.domain.expressions import references
from fermata.domain.json_value import Json


def silent_defaults(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn about each SWITCH or DECISION that looks at a poll's output and does nothing by default."""
    polls = {task.task_reference_name for task, _ in subject.located if task.type == "HTTP_POLL"}
    for task, path in subject.located:
        if task.type not in BRANCHING or task.default_case:
            continue
        for poll in sorted(references(_looked_at(task)) & polls):
            known = ", ".join(task.decision_cases)
            name = task.task_reference_name
            message = f"{name} chooses by {poll}'s answer and has no defaultCase: any value but {known} goes on as if all were well"
            yield DefinitionWarning(f"{path}.defaultCase", message, "EMPTY_DEFAULT_AFTER_POLL")


def _looked_at(task: WorkflowTask) -> Json:
    """Return the part of the input that decides: one key where the evaluator reads one, else all."""
    key = task.expression if task.evaluator_type == "value-param" else task.case_value_param if not task.case_expression else None
    if key is not None and key in task.input_parameters:
        return task.input_parameters[key]
    return dict(task.input_parameters)
