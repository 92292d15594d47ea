"""Secrets from Systems Manager's parameter store, under one path."""

import re
import threading
import time
from collections.abc import Callable

from fermata.adapters.aws import Client, Refused, call

KEEP_SECONDS = 30  # GetParameter allows 40 calls a second by default; a rotated secret is used half a minute later

_NAME = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")  # SSM's characters; a name can't leave the path
_ABSENT = frozenset({"ParameterNotFound"})


class ParameterSecrets:
    """A `Secrets`. Values stay in this process for `KEEP_SECONDS` and nowhere else; `repr` shows none."""

    def __init__(self, client: Client, path: str, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._path = path.rstrip("/") + "/"
        self._elapsed = elapsed  # seconds of real time: a rotation does not wait for a virtual clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, str | None]] = {}

    def get(self, name: str) -> str | None:
        if not _NAME.fullmatch(name):
            return None
        now = self._elapsed()
        with self._lock:
            self._known = {key: kept for key, kept in self._known.items() if now - kept[0] < KEEP_SECONDS}
            if name in self._known:
                return self._known[name][1]
        value = self._fetch(name)
        with self._lock:
            self._known[name] = (now, value)
        return value

    def _fetch(self, name: str) -> str | None:
        try:
            answer = call(self._client.get_parameter, {"Name": self._path + name, "WithDecryption": True}, _ABSENT)
        except Refused:
            return None
        value: str = answer["Parameter"]["Value"]
        return value
