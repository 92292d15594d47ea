"""From an access key's secret to a token, and from a token to who is calling."""

from datetime import datetime

from fermata.application.access import Access
from fermata.domain.access import (
    Caller,
    Claims,
    Identity,
    Stranger,
    TokenProblem,
    believes,
    generation_of,
    is_believed,
    signing_period,
)
from fermata.domain.errors import Unauthenticated
from fermata.wire.tokens import claims_from_token, period_of_token, token_from_claims

SIGNING_KEY_BYTES = 32
# Not `INVALID_TOKEN`: an SDK that reads it asks for a token again, at once.
WRONG_CREDENTIALS = "INVALID_CREDENTIALS"


def issue_token(access: Access, key_id: str, secret: str) -> str:
    """Return a token. Raises `Unauthenticated`, in the same words for an unknown, disabled or expired key and a wrong secret."""
    now = access.clock.now()
    generation = generation_of(access.keys.get(key_id), secret, now)
    if generation is None:
        raise Unauthenticated("The key id or the secret is wrong, or the key is disabled or expired.", WRONG_CREDENTIALS)
    period = signing_period(now)
    signing_key = access.signing.get(period) or access.signing.make(period, access.chance.draw(SIGNING_KEY_BYTES))
    return token_from_claims(Claims(key_id, generation, now, now + access.token_life), period, signing_key)


def identify(access: Access, token: str) -> Identity:
    """Return who is calling. The key is looked up each time: what was disabled, rotated or given another role counts at once."""
    now = access.clock.now()
    claims = _proven(access, token, now)
    if claims is None:
        return Stranger(TokenProblem.INVALID_TOKEN)
    if now >= claims.expires_at:
        return Stranger(TokenProblem.EXPIRED_TOKEN)
    key = access.keys.get(claims.key_id)
    if key is None or not believes(key, claims.generation, now):
        return Stranger(TokenProblem.INVALID_TOKEN)
    return Caller(key.key_id, key.role, claims.expires_at)


def _proven(access: Access, token: str, now: datetime) -> Claims | None:
    period = period_of_token(token)
    if period is None or not is_believed(period, now):
        return None
    signing_key = access.signing.get(period)
    return claims_from_token(token, signing_key) if signing_key else None
