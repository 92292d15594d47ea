"""One child process and the two pipes to it. Knows frames, the wall clock and death, not expressions."""

import os
import select
import struct
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

MAX_ANSWER_BYTES = 32 * 1024 * 1024  # 6 MB of text in UTF-8, with room; a longer answer is not from our worker

_LAUNCH = "import sys; sys.path.extend(sys.argv[1:]); from fermata.adapters.evaluators.worker.loop import main; main()"


class WorkerTimedOut(Exception):
    """The wall clock ran out. The worker must be ended."""


class WorkerDied(Exception):
    """The worker ended before it answered: of a limit, or of a bug in native code."""


class WorkerGone(WorkerDied):
    """The worker had ended before it began to read the request, so the request is not to blame."""


class WorkerProcess:
    """Serves one caller at a time. Ended by `end`, with this object, or with the interpreter."""

    def __init__(self, import_paths: Sequence[str]) -> None:
        """Start the process. Raises OSError when the system has none to give."""
        self._process = subprocess.Popen(  # noqa: S603 - nothing of a script is in the arguments
            [sys.executable, "-I", "-S", "-B", "-c", _LAUNCH, *import_paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=_loader_environment(),
            cwd="/",
            start_new_session=True,  # Ctrl-C in a terminal is for the parent, which then ends the worker
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests = self._process.stdin.fileno()
        self._answers = self._process.stdout.fileno()
        os.set_blocking(self._requests, False)
        os.set_blocking(self._answers, False)
        self.end = weakref.finalize(self, _end, self._process)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def exchange(self, request: bytes, limit: timedelta) -> bytes:
        """Send one request and return its answer. After any exception the worker is of no use and must be ended.

        Raises `WorkerTimedOut`, `WorkerGone` or `WorkerDied`.
        """
        deadline = time.monotonic() + limit.total_seconds()
        self._send(struct.pack(">I", len(request)) + request, deadline)
        self._see_it_begun(deadline)
        (length,) = struct.unpack(">I", self._receive(4, deadline))
        if length > MAX_ANSWER_BYTES:
            raise WorkerDied(f"an answer of {length} bytes")
        return self._receive(length, deadline)

    def _send(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            _wait(self._requests, select.POLLOUT, deadline)
            try:
                rest = rest[os.write(self._requests, rest) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                return  # whether it had begun, the other pipe tells

    def _see_it_begun(self, deadline: float) -> None:
        try:
            self._receive(1, deadline)
        except WorkerDied as error:
            raise WorkerGone from error

    def _receive(self, length: int, deadline: float) -> bytes:
        chunks = bytearray()
        while len(chunks) < length:
            _wait(self._answers, select.POLLIN, deadline)
            chunk = os.read(self._answers, length - len(chunks))
            if not chunk:
                raise WorkerDied
            chunks += chunk
        return bytes(chunks)


def _wait(descriptor: int, event: int, deadline: float) -> None:
    ready = select.poll()
    ready.register(descriptor, event)
    if not ready.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise WorkerTimedOut


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill and collect. Safe to repeat."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _loader_environment() -> dict[str, str]:
    """Return the whole environment of the worker: nothing, or where a Python built as a shared library finds itself (as on Lambda)."""
    libraries = Path(sys.base_prefix, "lib")
    return {"LD_LIBRARY_PATH": str(libraries)} if any(libraries.glob("libpython3*.so*")) else {}
