"""Who should act decides the type of an error.

    FermataError
      RequestError        the caller can fix it (4xx)
        InvalidRequest      400, names the fields
          SearchTooBroad    400, says how to narrow
        NotFound            404, names the id
        Conflict            409
        PayloadTooLarge     413
        Unauthenticated     401, says why nobody is known
        Forbidden           403, names the role that it takes
      TransientError      trying again may help (503, redeliver)
      EngineBug           an invariant broke (500, alarm)

A failing task is not an error: it is an `Outcome` with a reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fermata.domain.json_value import Json


@dataclass(frozen=True)
class Violation:
    """One thing wrong with what was sent: where (`tasks[0].type`), what, and the value when it is short."""

    path: str
    message: str
    invalid_value: Json = None


class FermataError(Exception):
    """Base of all."""


class RequestError(FermataError):
    """The caller sent something that cannot be done. The message is shown to the caller."""


class InvalidRequest(RequestError):
    def __init__(self, message: str, violations: Sequence[Violation] = ()) -> None:
        super().__init__(message)
        self.violations = tuple(violations)


class SearchTooBroad(InvalidRequest):
    """Answering would mean to look at more than one search may."""


class NotFound(RequestError):
    pass


class Conflict(RequestError):
    pass


class Unauthenticated(RequestError):
    """`code` is what Conductor's clients read to know whether a new token helps."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class Forbidden(RequestError):
    pass


class PayloadTooLarge(RequestError):
    pass


class TransientError(FermataError):
    """Trying again may help: throttling, a lost race, an unreachable service."""


class EngineBug(FermataError):
    """Something that cannot happen did. No use case mends it: the request or delivery fails, the sweep counts it, an alarm tells."""
