"""The web door's core: an API Gateway event (HTTP API, payload 2.0) in, a page or a file out."""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fermata import VERSION
from fermata.domain.access import Authorization
from fermata.web.files import File, Folder
from fermata.web.headers import BY_TLS_ONLY, SAFE

Event = dict[str, Any]
Answer = dict[str, Any]
Door = Callable[[Event, Any], Answer]

ROOT, UI = "/", "/ui"
ASSETS = f"{UI}/assets/"
SERVER = f"{UI}/server.json"
_METHODS = ("GET", "HEAD")
_WORDS = "text/plain;charset=UTF-8"
_NO_WEIGHT = re.compile(r"q=0(\.0*)?")
_PAGES_AGAIN, _FILES_FOR_GOOD = "no-cache", "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class _Request:
    """Header names are in lower case, as a gateway hands them over."""

    method: str
    path: str
    headers: Mapping[str, str]

    @property
    def takes_gzip(self) -> bool:
        codings = (each.replace(" ", "").partition(";") for each in self.headers.get("accept-encoding", "").lower().split(","))
        return any(coding == "gzip" and not _NO_WEIGHT.fullmatch(weight) for coding, _, weight in codings)

    def has(self, tag: str) -> bool:
        """Does the browser hold this already? Tags are compared weakly (RFC 9110, 13.1.2)."""
        held = [each.strip().removeprefix("W/") for each in self.headers.get("if-none-match", "").split(",")]
        return tag.removeprefix("W/") in held or "*" in held


def create(folder: Path, authorization: Authorization) -> Door:
    """Return the handler. It serves what is in `folder` and tells the pages what stands in front of the API. Safe from many threads."""
    files = Folder(folder)
    server = File(json.dumps({"authorization": authorization, "version": VERSION}).encode(), ".json")

    def door(event: Event, _context: Any) -> Answer:
        request = _request(event)
        safe = {**SAFE, **(BY_TLS_ONLY if request.headers.get("x-forwarded-proto") == "https" else {})}
        answer = _answer(request, files, server)
        shown = answer if request.method != "HEAD" else {**answer, "body": "", "isBase64Encoded": False}
        return {**shown, "headers": {**safe, **answer["headers"]}}

    return door


def is_for_pages(path: str) -> bool:
    """Is this path the web door's?"""
    return path in {ROOT, UI} or path.startswith(f"{UI}/")


def _request(event: Event) -> _Request:
    context, path = event["requestContext"], event["rawPath"]
    rest = path.removeprefix(f"/{context.get('stage')}")  # a stage is in the path or not, depending on the domain used
    return _Request(context["http"]["method"], rest if is_for_pages(rest) else path, event.get("headers") or {})


def _answer(request: _Request, files: Folder, server: File) -> Answer:
    if request.method not in _METHODS:
        return _words(405, f"{request.method} is not supported here; use GET.", {"Allow": ", ".join(_METHODS)})
    found = _found(request.path, files, server)
    if found is None:
        return _words(404, "There is no such page." if files.get("index.html") else "This server has no web UI.")
    kept = {"Cache-Control": _FILES_FOR_GOOD if found.lasting else _PAGES_AGAIN, "ETag": found.tag, "Vary": "Accept-Encoding"}
    if request.has(found.tag):
        return {"statusCode": 304, "headers": kept, "body": "", "isBase64Encoded": False}
    return _whole(found, kept, compresses=request.takes_gzip)


def _found(path: str, files: Folder, server: File) -> File | None:
    if path == SERVER:
        return server
    if path.startswith(ASSETS):
        return files.get(path.removeprefix(ASSETS))
    return files.get("index.html") if is_for_pages(path) else None  # which page it is, the pages find out


def _whole(found: File, headers: Mapping[str, str], *, compresses: bool) -> Answer:
    packed = found.gzipped if compresses else None
    told = {"Content-Type": found.media_type, **headers, **({} if packed is None else {"Content-Encoding": "gzip"})}
    if packed is None and found.is_text:
        return {"statusCode": 200, "headers": told, "body": found.content.decode(), "isBase64Encoded": False}
    body = base64.b64encode(found.content if packed is None else packed).decode()
    return {"statusCode": 200, "headers": told, "body": body, "isBase64Encoded": True}


def _words(status: int, text: str, headers: Mapping[str, str] | None = None) -> Answer:
    told = {"Content-Type": _WORDS, "Cache-Control": "no-store", **(headers or {})}
    return {"statusCode": status, "headers": told, "body": text, "isBase64Encoded": False}
