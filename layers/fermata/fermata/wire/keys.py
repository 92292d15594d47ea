"""Access keys and the credentials that ask for a token, as JSON. Secrets come in here and are never repeated, not even as a wrong value."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fermata.domain.access import AccessKey, Role
from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.wire.codec import VALIDATION_FAILED

LONGEST_NAME = 200  # characters
LONGEST_LIFE_DAYS = 3650
LONGEST_GRACE_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True)
class Credentials:
    """What an SDK sends for a token. `repr` does not show the secret."""

    key_id: str
    secret: str

    def __repr__(self) -> str:
        return f"Credentials({self.key_id!r})"


@dataclass(frozen=True)
class NewKey:
    """`life` None: the key never expires."""

    name: str
    role: Role
    life: timedelta | None = None


def credentials_from_json(value: Json) -> Credentials:
    """Raises `InvalidRequest`."""
    sent = value if isinstance(value, dict) else {}
    key_id, secret = sent.get("keyId"), sent.get("keySecret")
    if not isinstance(key_id, str) or not isinstance(secret, str):
        missing = [name for name, text in (("keyId", key_id), ("keySecret", secret)) if not isinstance(text, str)]
        raise InvalidRequest(VALIDATION_FAILED, [Violation(name, "must be a text") for name in missing])
    return Credentials(key_id, secret)


def new_key_from_json(value: Json) -> NewKey:
    """Raises `InvalidRequest`, naming every wrong field."""
    sent = value if isinstance(value, dict) else {}
    found = _unknown(sent, "name", "role", "expiresInDays")
    name, role, days = sent.get("name"), sent.get("role"), sent.get("expiresInDays")
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        found.append(Violation("name", f"must be a text of 1 to {LONGEST_NAME} printable characters: what the key is for"))
    if role not in list(Role):
        found.append(Violation("role", f"must be one of {', '.join(Role)}"))
    if days is not None and not _whole(days, LONGEST_LIFE_DAYS):
        found.append(
            Violation("expiresInDays", f"must be a whole number from 1 to {LONGEST_LIFE_DAYS}; leave it out for a key that never expires")
        )
    if found:
        raise InvalidRequest(VALIDATION_FAILED, found)
    return NewKey(str(name), Role(str(role)), timedelta(days=days) if isinstance(days, int) else None)


def grace_from_json(value: JsonObject) -> timedelta:
    """Return for how long a rotated secret stays good, by default not at all. Raises `InvalidRequest`."""
    seconds, found = value.get("graceSeconds", 0), _unknown(value, "graceSeconds")
    if seconds != 0 and not _whole(seconds, LONGEST_GRACE_SECONDS):
        found.append(Violation("graceSeconds", f"must be a whole number from 0 to {LONGEST_GRACE_SECONDS}"))
    if found:
        raise InvalidRequest(VALIDATION_FAILED, found)
    return timedelta(seconds=seconds if isinstance(seconds, int) else 0)


def access_key_to_json(key: AccessKey) -> JsonObject:
    """Return the key without anything of its secrets. Times are epoch milliseconds."""
    shown: JsonObject = {"keyId": key.key_id, "name": key.name, "role": key.role.value, "createTime": _milliseconds(key.created_at)}
    times = {"expireTime": key.expires_at, "oldSecretUntil": key.previous_until}
    return {**shown, "disabled": key.disabled, **{name: _milliseconds(moment) for name, moment in times.items() if moment}}


def _unknown(value: JsonObject, *known: str) -> list[Violation]:
    """Find the fields that there are not: ignored, a misspelled end or grace would leave a secret good for longer, or not at all."""
    return [Violation(name[:100], f"is no field here; there are {', '.join(known)}") for name in value if name not in known]


def _whole(value: Json, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
