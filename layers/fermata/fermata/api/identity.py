"""Who is calling, as the authorizer tells it to the api door: text by name, because API Gateway passes nothing else unchanged."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, assert_never

from fermata.domain.access import Caller, Identity, Role, Stranger, TokenProblem


def identity_to_context(identity: Identity) -> dict[str, str]:
    match identity:
        case Caller(key_id, role, expires_at):
            return {"keyId": key_id, "role": role.value, "expiresAt": str(int(expires_at.timestamp()))}
        case Stranger(problem):
            return {"problem": problem.value}
        case _:
            assert_never(identity)


def identity_from_context(context: Mapping[str, Any]) -> Identity:
    """Return what the authorizer said; a stranger for anything it does not say."""
    try:
        return Caller(context["keyId"], Role(context["role"]), datetime.fromtimestamp(int(context["expiresAt"]), UTC))
    except (ArithmeticError, KeyError, OSError, TypeError, ValueError):
        expired = context.get("problem") == TokenProblem.EXPIRED_TOKEN
        return Stranger(TokenProblem.EXPIRED_TOKEN if expired else TokenProblem.INVALID_TOKEN)
