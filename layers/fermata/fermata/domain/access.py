"""Who may call the API: roles, access keys and the tokens they are exchanged for. Secrets appear here as hashes only."""

import hashlib
import hmac
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

# A signing key is used for one period and believed for one more: so long must no token live.
SIGNING_PERIOD = timedelta(days=30)
LONGEST_TOKEN_LIFE = timedelta(days=1)
_NOBODYS_HASH = hashlib.sha256(b"nobody").hexdigest()


class Authorization(StrEnum):
    """How the deployment lets callers in: everybody, signed requests only, or tokens got with access keys."""

    NONE = "NONE"
    AWS_IAM = "AWS_IAM"
    KEYS = "KEYS"


class Role(StrEnum):
    """What a caller may do. Each includes the ones before it."""

    READER = "reader"
    OPERATOR = "operator"
    ADMIN = "admin"

    def includes(self, other: "Role") -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


class TokenProblem(StrEnum):
    """Conductor's codes: with either of them an SDK fetches a new token and asks once more."""

    EXPIRED_TOKEN = "EXPIRED_TOKEN"  # noqa: S105 - a code, not a secret
    INVALID_TOKEN = "INVALID_TOKEN"  # noqa: S105 - a code, not a secret


@dataclass(frozen=True)
class AccessKey:
    """`version` counts changes of the row, `generation` the secrets it has had. `previous_hash` is good until `previous_until`."""

    key_id: str
    name: str
    role: Role
    secret_hash: str
    created_at: datetime
    version: int = 1
    generation: int = 1
    disabled: bool = False
    expires_at: datetime | None = None
    previous_hash: str | None = None
    previous_until: datetime | None = None


@dataclass(frozen=True)
class Claims:
    """What a token says: which key it was got with, which of the key's secrets, and until when it is good (whole seconds)."""

    key_id: str
    generation: int
    issued_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class Caller:
    """Somebody with a good token."""

    key_id: str
    role: Role
    expires_at: datetime


@dataclass(frozen=True)
class Admitted:
    """Who was let in, and how. `by`: the access key's id, or the ARN of whoever signed; empty where nobody is asked who they are."""

    authorization: Authorization
    role: Role
    by: str = ""


@dataclass(frozen=True)
class Stranger:
    """Somebody whose token is no good."""

    problem: TokenProblem


Identity: TypeAlias = Caller | Stranger


def hash_of(secret: str) -> str:
    """Return what is stored of a secret.

    A secret is 256 random bits and cannot be guessed: a deliberately slow hash, as people's passwords need it, would protect nothing.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def usable(key: AccessKey, now: datetime) -> bool:
    return not key.disabled and (key.expires_at is None or now < key.expires_at)


def generation_of(key: AccessKey | None, secret: str, now: datetime) -> int | None:
    """Return which of the key's secrets this is, None when it opens nothing. Takes as long for a key that does not exist."""
    given = hash_of(secret)
    present = hmac.compare_digest(given, key.secret_hash if key else _NOBODYS_HASH)
    previous = hmac.compare_digest(given, (key and key.previous_hash) or _NOBODYS_HASH)
    if key is None or not usable(key, now):
        return None
    if present:
        return key.generation
    return key.generation - 1 if previous and believes(key, key.generation - 1, now) else None


def believes(key: AccessKey, generation: int, now: datetime) -> bool:
    """Is this secret of the key, and so a token got with it, still good?"""
    if generation == key.generation:
        return usable(key, now)
    overlaps = key.previous_until is not None and now < key.previous_until
    return generation == key.generation - 1 and overlaps and usable(key, now)


def rotated(key: AccessKey, secret: str, until: datetime) -> AccessKey:
    """Return the key with a new secret. The one it has stays good `until` then; the one before that is gone."""
    return replace(
        key,
        version=key.version + 1,
        generation=key.generation + 1,
        secret_hash=hash_of(secret),
        previous_hash=key.secret_hash,
        previous_until=until,
    )


def signing_period(moment: datetime) -> int:
    """Return the number of the period: a signing key's name is derived from it, so that whoever makes it makes the same one."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // SIGNING_PERIOD


def is_believed(period: int, now: datetime) -> bool:
    """Is a token signed in that period old enough to be real and young enough to be good?"""
    return signing_period(now) - period in (0, 1)
