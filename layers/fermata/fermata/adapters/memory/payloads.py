"""Big content in memory."""

from fermata.domain.errors import EngineBug
from fermata.domain.ids import content_hash


class MemoryPayloads:
    """A `Payloads`. A single dict operation each, which Python makes atomic."""

    def __init__(self) -> None:
        self._content: dict[str, bytes] = {}

    def put(self, workflow_id: str, content: bytes) -> str:
        key = f"{workflow_id}/{content_hash(content)}"
        self._content[key] = content
        return key

    def get(self, key: str) -> bytes:
        try:
            return self._content[key]
        except KeyError as error:
            raise EngineBug(f"There is no stored payload {key}, although a row names it.") from error
