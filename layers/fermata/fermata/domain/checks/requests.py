"""An unsafe HTTP request that retries repeat without a key by which the vendor could tell."""

from collections.abc import Iterable, Mapping

from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.definitions import WorkflowTask
from fermata.domain.http_rules import SAFE_METHODS, request_fields
from fermata.domain.retries import retries_allowed
from fermata.domain.tasks.http import IDEMPOTENCY_HEADER


def repeated_unsafe_requests(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn about each HTTP task that may send an unsafe request more than once, its key disabled."""
    for task, path in subject.located:
        retries = retries_allowed(task)
        if task.type == "HTTP" and retries > 0 and _has_no_key(task):
            method = request_fields(task.input_parameters).get("method")
            message = (
                f"{task.task_reference_name} sends {method} up to {retries + 1} times and its idempotencyKey is disabled: "
                "the vendor cannot tell a retry from a new request"
            )
            yield DefinitionWarning(f"{path}.inputParameters", message, "RETRY_WITHOUT_KEY")


def _has_no_key(task: WorkflowTask) -> bool:
    fields = request_fields(task.input_parameters)
    method, headers = fields.get("method"), fields.get("headers")
    if not isinstance(method, str) or "${" in method or method.upper() in SAFE_METHODS or fields.get("idempotencyKey", True):
        return False
    if not isinstance(headers, Mapping):
        return not isinstance(headers, str)  # an expression may hold one
    return not any(str(name).lower() == IDEMPOTENCY_HEADER.lower() for name in headers)
