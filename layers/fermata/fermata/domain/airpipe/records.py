"""What a `state` action leaves for other runs, and for a repeat of itself."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fermata.domain.json_value import Json

REMEMBERED = timedelta(days=1)  # so long a repeated operation is known; deliveries come again within minutes
MEMORY = ""  # the namespace of what operations have said; no configuration can name it


@dataclass(frozen=True)
class StateRecord:
    """A value under a key. `version` counts the writes since it last was absent.

    `stamp` names the operation that wrote it last, `operation` is what that was. A deleted record is one that has expired.
    """

    namespace: str
    key: str
    value: Json
    version: int
    stamp: str
    expires_at: datetime | None = None
    operation: str = "set"
