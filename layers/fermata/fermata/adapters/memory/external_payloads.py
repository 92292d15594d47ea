"""Payloads that callers fetch and leave themselves, in memory."""

from collections.abc import Sequence
from itertools import count

from fermata.domain.errors import PayloadTooLarge
from fermata.domain.external_paths import MAX_EXTERNAL_BYTES, left_path, shown_path


class MemoryExternalPayloads:
    """An `ExternalPayloads`. What a caller would PUT, `leave` puts. A single dict operation each, which Python makes atomic."""

    def __init__(self) -> None:
        self._content: dict[str, bytes] = {}
        self._drawn = count(1)

    def show(self, contents: Sequence[bytes]) -> Sequence[str]:
        self._content.update({shown_path(content): content for content in contents})
        return [shown_path(content) for content in contents]

    def new_path(self) -> str:
        return left_path(next(self._drawn).to_bytes(16))

    def address(self, path: str, *, to_leave: bool) -> str:
        return f"memory:{path}?{'PUT' if to_leave else 'GET'}"

    def read(self, path: str) -> bytes | None:
        content = self._content.get(path)
        if content is not None and len(content) > MAX_EXTERNAL_BYTES:
            raise PayloadTooLarge(f"What lies at {path} is larger than {MAX_EXTERNAL_BYTES // 1024 // 1024} MB.")
        return content

    def leave(self, path: str, content: bytes) -> None:
        self._content[path] = content
