"""The paths of payloads that callers fetch from and leave in the store themselves, because they fit in no answer and no request."""

import re

from fermata.domain.ids import content_hash

EXTERNAL = "external/"  # nothing else of the store stands here: no path leads to what is not meant for callers
_SHOWN, _LEFT = f"{EXTERNAL}shown/", f"{EXTERNAL}left/"
_ISSUED = re.compile(rf"{_SHOWN}[0-9a-f]{{40}}\.json|{_LEFT}[0-9a-f]{{32}}\.json")

MAX_EXTERNAL_BYTES = 10 * 1024 * 1024  # what Conductor takes from outside at most


def shown_path(content: bytes) -> str:
    """Return the path of what is shown to callers. Who does not know the content cannot guess it."""
    return f"{_SHOWN}{content_hash(content)}.json"


def left_path(drawn: bytes) -> str:
    """Return the path at which a caller may leave a payload. `drawn`: 16 bytes that nobody can foresee."""
    return f"{_LEFT}{drawn.hex()}.json"


def is_issued(path: str) -> bool:
    """Tell whether the path has the form of those that are handed out; nothing else may ever be read."""
    return _ISSUED.fullmatch(path) is not None


def is_to_be_left(path: str) -> bool:
    """Tell whether the path is one at which a caller may leave a payload."""
    return is_issued(path) and path.startswith(_LEFT)
