"""Whether a caller may use a route: the last word of every deployment, whatever stands in front of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, assert_never

from fermata.api.http import Route
from fermata.api.identity import identity_from_context
from fermata.api.roles import Anybody, Need, need_of
from fermata.domain.access import Admitted, Authorization, Caller, Role, Stranger, TokenProblem
from fermata.domain.errors import Forbidden, Unauthenticated

_HELP = {
    TokenProblem.EXPIRED_TOKEN: "The token has expired. Get a new one: POST /api/token.",
    TokenProblem.INVALID_TOKEN: "The token is no good, or its key is. Get one with POST /api/token, send it as X-Authorization.",
}


def admitted(authorization: Authorization, event: Mapping[str, Any], route: Route, now: datetime) -> Admitted:
    """Return as whom the caller may use the route. Raises `Unauthenticated`, `Forbidden`."""
    return admit(authorization, event, need_of(route.method, route.rule), f"{route.method} {route.rule}", now)


def admit(authorization: Authorization, event: Mapping[str, Any], need: Need | None, what: str, now: datetime) -> Admitted:
    """Return as whom the caller may do `what`, which takes `need`. Raises `Unauthenticated`, `Forbidden`."""
    if need is Anybody.OPEN:
        return Admitted(Authorization.NONE, Role.READER)
    caller = recognized(authorization, event["requestContext"].get("authorizer") or {}, now)
    if authorization is not Authorization.NONE and not _suffices(caller.role, need):
        takes = f"the role {need}" if need else "a role that nobody has"
        raise Forbidden(f"{what} takes {takes}; this key is of the role {caller.role}.")
    return caller


def recognized(authorization: Authorization, told: Mapping[str, Any], now: datetime) -> Admitted:
    """Return who calls, from what the gateway tells of it. Raises `Unauthenticated`.

    Whoever signs is let in by IAM, which is told what they may call; here they are an admin.
    """
    match authorization:
        case Authorization.NONE:
            return Admitted(Authorization.NONE, Role.ADMIN)
        case Authorization.AWS_IAM | Authorization.KEYS if told.get("iam"):
            return Admitted(Authorization.AWS_IAM, Role.ADMIN, str(told["iam"].get("userArn") or ""))
        case Authorization.AWS_IAM:
            raise Unauthenticated("Sign the request (AWS Signature Version 4, service execute-api).", "NOT_SIGNED")
        case Authorization.KEYS:
            return _holder_of_token(told.get("lambda") or {}, now)
        case _:
            assert_never(authorization)


def _holder_of_token(context: Mapping[str, Any], now: datetime) -> Admitted:
    match identity_from_context(context):
        case Caller(key_id, role, expires_at) if now < expires_at:
            return Admitted(Authorization.KEYS, role, key_id)
        case Caller():  # the gateway remembers answers longer than a token may have left
            raise _refusal(TokenProblem.EXPIRED_TOKEN)
        case Stranger(problem):
            raise _refusal(problem)


def _refusal(problem: TokenProblem) -> Unauthenticated:
    return Unauthenticated(_HELP[problem], problem.value)


def _suffices(role: Role, need: Need | None) -> bool:
    match need:
        case None:
            return False
        case Anybody():
            return True
        case Role():
            return role.includes(need)
        case _:
            assert_never(need)
