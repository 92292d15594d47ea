"""The built pages: which files there are, and what a browser is told about each."""

import hashlib
import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_TEXT = {
    ".css": "text/css;charset=UTF-8",
    ".html": "text/html;charset=UTF-8",
    ".js": "text/javascript;charset=UTF-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain;charset=UTF-8",
}
_BYTES = {".ico": "image/x-icon", ".png": "image/png", ".woff2": "font/woff2"}  # compressed already
_HASHED_NAME = re.compile(r".+-[A-Z0-9]{8}\.\w+")  # as the bundler names what it makes: another content, another name
_GZIP_FROM_BYTES = 1024  # below, it saves nothing that is worth the two heads
_GZIP_FRAME = 16 + zlib.MAX_WBITS


@dataclass(frozen=True)
class File:
    """`lasting`: a browser may keep it for good, because its name changes with its content."""

    content: bytes
    suffix: str
    lasting: bool = False

    @property
    def media_type(self) -> str:
        return _TEXT.get(self.suffix) or _BYTES.get(self.suffix, "application/octet-stream")

    @property
    def is_text(self) -> bool:
        return self.suffix in _TEXT

    @cached_property
    def tag(self) -> str:
        """The entity tag: a weak one, as the compressed form has it too (RFC 9110, 8.8.1)."""
        return f'W/"{hashlib.sha256(self.content).hexdigest()[:32]}"'

    @cached_property
    def gzipped(self) -> bytes | None:
        """The compressed form, made once; None where there is nothing to gain."""
        if not self.is_text or len(self.content) < _GZIP_FROM_BYTES:
            return None
        packing = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, _GZIP_FRAME)
        return packing.compress(self.content) + packing.flush()


class Folder:
    """The files of one folder by name, each read when it is first asked for. A name that is not in its listing is no file."""

    def __init__(self, place: Path) -> None:
        self._paths = {path.name: path for path in place.iterdir() if path.is_file()} if place.is_dir() else {}
        self._read: dict[str, File] = {}

    def get(self, name: str) -> File | None:
        if name not in self._paths:
            return None
        if name not in self._read:
            path = self._paths[name]
            self._read[name] = File(path.read_bytes(), path.suffix, lasting=_HASHED_NAME.fullmatch(name) is not None)
        return self._read[name]
