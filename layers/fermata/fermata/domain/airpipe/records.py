"""What a `state` action leaves for other runs."""

from dataclasses import dataclass
from datetime import datetime

from fermata.domain.json_value import Json


@dataclass(frozen=True)
class StateRecord:
    """A value under a key. `version` counts the writes since it last was absent. `stamp` names the operation that wrote it last."""

    namespace: str
    key: str
    value: Json
    version: int
    stamp: str
    expires_at: datetime | None = None
