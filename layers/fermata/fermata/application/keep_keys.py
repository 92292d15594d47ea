"""Access keys are made, rotated, disabled and deleted. A secret is drawn here, returned once, and stored as a hash."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from fermata.application.access import Access
from fermata.domain.access import AccessKey, Role, hash_of, rotated
from fermata.domain.errors import Conflict, NotFound

ID_BYTES = 10
SECRET_BYTES = 32  # 256 bits: nobody guesses it
# Scanners that look for leaked secrets go by such beginnings.
_ID_BEGINS, _SECRET_BEGINS = "fk-", "fs-"


@dataclass(frozen=True)
class NewSecret:
    """A key and its secret, which nobody can be told again."""

    key: AccessKey
    secret: str


def create(access: Access, name: str, role: Role, expires_at: datetime | None = None) -> NewSecret:
    """Make a key. Not safe to repeat: it makes another one."""
    key_id = _ID_BEGINS + base64.b32encode(access.chance.draw(ID_BYTES)).decode().lower()
    secret = _drawn(access)
    key = AccessKey(key_id, name, role, hash_of(secret), access.clock.now(), expires_at=expires_at)
    _store(access, key)
    return NewSecret(key, secret)


def every_key(access: Access) -> Sequence[AccessKey]:
    """Return all keys, oldest first."""
    return sorted(access.keys.list(), key=lambda key: (key.created_at, key.key_id))


def get(access: Access, key_id: str) -> AccessKey:
    """Raises `NotFound`."""
    key = access.keys.get(key_id)
    if key is None:
        raise NotFound(f"No such key: {key_id}.")
    return key


def rotate(access: Access, key_id: str, grace: timedelta = timedelta()) -> NewSecret:
    """Give the key a new secret; the old one, and tokens got with it, stay good for `grace`. Raises `NotFound`, `Conflict`."""
    secret = _drawn(access)
    key = rotated(get(access, key_id), secret, access.clock.now() + grace)
    _store(access, key)
    return NewSecret(key, secret)


def set_disabled(access: Access, key_id: str, *, disabled: bool) -> AccessKey:
    """Safe to repeat. Raises `NotFound`, `Conflict`."""
    key = get(access, key_id)
    if key.disabled == disabled:
        return key
    changed = replace(key, disabled=disabled, version=key.version + 1)
    _store(access, changed)
    return changed


def delete(access: Access, key_id: str) -> None:
    """Raises `NotFound`."""
    if not access.keys.delete(key_id):
        raise NotFound(f"No such key: {key_id}.")


def _drawn(access: Access) -> str:
    return _SECRET_BEGINS + base64.urlsafe_b64encode(access.chance.draw(SECRET_BYTES)).decode().rstrip("=")


def _store(access: Access, key: AccessKey) -> None:
    if not access.keys.put(key):
        raise Conflict(f"The key {key.key_id} was changed by somebody else at the same moment; look at it and try again.")
