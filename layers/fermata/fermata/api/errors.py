"""Which status each error has, and the body that tells the caller."""

import logging
from collections.abc import Mapping

from fermata.api.http import JSON, Reply
from fermata.domain.errors import (
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    PayloadTooLarge,
    RequestError,
    SearchTooBroad,
    TransientError,
    Unauthenticated,
    Violation,
)
from fermata.domain.json_value import Json
from fermata.wire.bodies import text

STATUS: Mapping[type[Exception], int] = {
    InvalidRequest: 400,
    SearchTooBroad: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    PayloadTooLarge: 413,
    RequestError: 400,
    TransientError: 503,
}
UNEXPECTED = "Something broke on our side. The log says more under the id in `instance`."

_log = logging.getLogger(__name__)


def error_reply(error: Exception, instance: str) -> Reply:
    """Return the answer to a failed request; what the caller cannot know or mend is logged instead of shown."""
    status = status_of(error)
    if status is None:
        _log.error("A request failed unexpectedly.", exc_info=error)
        return failure(500, UNEXPECTED, instance)
    retryable = isinstance(error, TransientError)
    if retryable:
        _log.warning("A request failed for now.", exc_info=error)
    if isinstance(error, Unauthenticated):
        return unauthenticated(error, instance)
    violations = error.violations if isinstance(error, InvalidRequest) else ()
    return failure(status, str(error), instance, retryable=retryable, violations=violations)


def status_of(error: Exception) -> int | None:
    """Return the status of an error that a caller can know or mend, None for any other."""
    return next((STATUS[cls] for cls in type(error).__mro__ if cls in STATUS), None)


def failure(status: int, message: str, instance: str, *, retryable: bool = False, violations: tuple[Violation, ...] = ()) -> Reply:
    """Return Conductor's error body. `instance` is the id under which the log has this request."""
    body: dict[str, Json] = {"status": status, "message": message, "instance": instance, "retryable": retryable}
    if violations:
        body["validationErrors"] = [_violation(violation) for violation in violations]
    return Reply(status, text(body), JSON)


def unauthenticated(error: Unauthenticated, instance: str) -> Reply:
    """Return the error body with the code by which SDKs know that a new token helps (`EXPIRED_TOKEN`, `INVALID_TOKEN`)."""
    body: Json = {"status": 401, "error": error.code, "message": str(error), "instance": instance, "retryable": False}
    return Reply(401, text(body), JSON)


def _violation(violation: Violation) -> Json:
    shown = {} if violation.invalid_value is None else {"invalidValue": violation.invalid_value}
    return {"path": violation.path, "message": violation.message, **shown}
