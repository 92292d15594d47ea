"""Whether a caller may use a route: the last word of every deployment, whatever stands in front of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, assert_never

from fermata.api.http import Route
from fermata.api.identity import identity_from_context
from fermata.api.roles import Anybody, Need, need_of
from fermata.domain.access import Authorization, Caller, Role, Stranger, TokenProblem
from fermata.domain.errors import Forbidden, Unauthenticated

_HELP = {
    TokenProblem.EXPIRED_TOKEN: "The token has expired. Get a new one: POST /api/token.",
    TokenProblem.INVALID_TOKEN: "The token is no good, or its key is. Get one with POST /api/token, send it as X-Authorization.",
}


def admitted(authorization: Authorization, event: Mapping[str, Any], route: Route, now: datetime) -> Role:
    """Return the role in which the caller may use the route. Raises `Unauthenticated`, `Forbidden`."""
    need = need_of(route.method, route.rule)
    if need is Anybody.OPEN:
        return Role.READER
    role = role_of(authorization, event["requestContext"].get("authorizer") or {}, now)
    if authorization is not Authorization.NONE and not _suffices(role, need):
        takes = f"the role {need}" if need else "a role that nobody has"
        raise Forbidden(f"{route.method} {route.rule} takes {takes}; this key is of the role {role}.")
    return role


def role_of(authorization: Authorization, told: Mapping[str, Any], now: datetime) -> Role:
    """Return the caller's role from what the gateway tells of it. Raises `Unauthenticated`.

    Whoever signs is let in by IAM, which is told what they may call; here they are an admin.
    """
    match authorization:
        case Authorization.NONE:
            return Role.ADMIN
        case Authorization.AWS_IAM | Authorization.KEYS if told.get("iam"):
            return Role.ADMIN
        case Authorization.AWS_IAM:
            raise Unauthenticated("Sign the request (AWS Signature Version 4, service execute-api).", "NOT_SIGNED")
        case Authorization.KEYS:
            return _role_of_token(told.get("lambda") or {}, now)
        case _:
            assert_never(authorization)


def _role_of_token(context: Mapping[str, Any], now: datetime) -> Role:
    match identity_from_context(context):
        case Caller(_, role, expires_at) if now < expires_at:
            return role
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
