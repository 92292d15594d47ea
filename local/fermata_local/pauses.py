"""How callers wait on the laptop: by sleeping while the server runs, by letting the world go on where a test drives it."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta


class LocalPauses:
    """Lets callers wait for answers. Without a pump in the background time passes, and deliveries happen, in the pauses themselves."""

    def __init__(self, pass_by: Callable[[timedelta], None]) -> None:
        self.lasting = False
        self.waiting = 0  # callers that are in a pause: nothing is running for them, so that a skipping clock may jump
        self._pass_by = pass_by
        self._counting = threading.Lock()

    def pause(self, length: timedelta) -> None:
        if not self.lasting:
            self._pass_by(length)
            return
        self._count(1)
        try:
            time.sleep(length.total_seconds())  # noqa: TID251 - a caller of the laptop's server waits
        finally:
            self._count(-1)

    def _count(self, by: int) -> None:
        with self._counting:
            self.waiting += by
