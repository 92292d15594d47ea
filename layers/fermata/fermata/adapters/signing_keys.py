"""What signs tokens, in Systems Manager's parameter store: one SecureString for each period, made by whoever needs it first."""

import base64
import threading
import time
from collections.abc import Callable

from fermata.adapters.aws import Client, Refused, call

KEEP_SECONDS = 300  # so long does a warm function use one that was deleted

_ABSENT = frozenset({"ParameterNotFound"})
_EXISTS = frozenset({"ParameterAlreadyExists"})


class ParameterSigningKeys:
    """A `SigningKeys`. The parameter's name ends in the period: of two functions that make one at the same time, one does."""

    def __init__(self, client: Client, path: str, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._path = path.rstrip("/") + "/"
        self._elapsed = elapsed  # seconds of real time
        self._lock = threading.Lock()
        self._known: dict[int, tuple[float, bytes]] = {}

    def get(self, period: int) -> bytes | None:
        now = self._elapsed()
        with self._lock:
            self._known = {number: kept for number, kept in self._known.items() if now - kept[0] < KEEP_SECONDS}
            if period in self._known:
                return self._known[period][1]
        found = self._fetched(period)
        if found is not None:
            with self._lock:
                self._known[period] = (now, found)
        return found

    def make(self, period: int, fresh: bytes) -> bytes:
        value = base64.b64encode(fresh).decode()
        params = {"Name": self._name(period), "Value": value, "Type": "SecureString", "Description": "Signs Fermata's tokens."}
        try:
            call(self._client.put_parameter, params, _EXISTS)
        except Refused:
            return self.get(period) or fresh  # deleted again meanwhile: a token that nobody believes, and the next one is good
        return fresh

    def _fetched(self, period: int) -> bytes | None:
        try:
            answer = call(self._client.get_parameter, {"Name": self._name(period), "WithDecryption": True}, _ABSENT)
        except Refused:
            return None
        return base64.b64decode(answer["Parameter"]["Value"])

    def _name(self, period: int) -> str:
        return f"{self._path}{period}"
