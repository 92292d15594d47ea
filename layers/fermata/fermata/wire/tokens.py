"""Tokens as text: JSON Web Tokens (RFC 7519), signed with HMAC-SHA256 and nothing else. `kid` is the number of the signing period.

PyJWT is imported where it is used: only the doors that deal with tokens pay for it.
"""

import re
from datetime import UTC, datetime
from typing import Any

from fermata.domain.access import Claims

LONGEST = 2048  # characters; ours have about 250
_ALGORITHM = "HS256"
_REQUIRED = ["sub", "gen", "iat", "exp"]


def token_from_claims(claims: Claims, period: int, key: bytes) -> str:
    """Return the token."""
    import jwt

    said = {"sub": claims.key_id, "gen": claims.generation, "iat": _seconds(claims.issued_at), "exp": _seconds(claims.expires_at)}
    return jwt.encode(said, key, _ALGORITHM, headers={"kid": str(period)})


def period_of_token(token: str) -> int | None:
    """Return the period that the token names, unproven; None when it is no token of ours."""
    import jwt

    try:
        header = jwt.get_unverified_header(token) if len(token) <= LONGEST and token.isascii() else {}
    except jwt.PyJWTError:
        return None
    period = header.get("kid")
    ours = header.get("alg") == _ALGORITHM and isinstance(period, str) and re.fullmatch(r"[0-9]{1,6}", period)
    return int(period) if ours and isinstance(period, str) else None


def claims_from_token(token: str, key: bytes) -> Claims | None:
    """Return what the token says if `key` signed it, expired or not; None otherwise."""
    import jwt

    # Time is ours to judge: `now` is an argument here, and PyJWT asks the system.
    options: Any = {"require": _REQUIRED, "verify_exp": False, "verify_iat": False, "verify_nbf": False}
    try:
        said = jwt.decode(token, key, algorithms=[_ALGORITHM], options=options)
        return Claims(str(said["sub"]), int(said["gen"]), _moment(said["iat"]), _moment(said["exp"]))
    except (jwt.PyJWTError, ArithmeticError, TypeError, ValueError):
        return None


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def _moment(seconds: Any) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)
