"""Run a built function under the real Lambda runtime client, without Docker: a small Runtime API and one child process.

The API is AWS's "Lambda runtime API", 2018-06-01: the client asks for the next event and posts the answer or the error.
"""

import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

API = "/2018-06-01/runtime"
RESPONSE_LIMIT_BYTES = 6 * 1024 * 1024  # AWS limit of a synchronous invocation; the client itself does not hold to it
START_LIMIT_SECONDS = 10  # AWS limit of the init phase


class FunctionFailed(Exception):
    """The function did not answer. Holds what it reported and what it printed."""

    def __init__(self, report: Any, printed: str) -> None:
        super().__init__(f"{json.dumps(report)}\n{printed}")
        self.report = report


@dataclass(frozen=True)
class BuiltFunction:
    """`folder` and `layers` are folders that `sam build` made; a layer's packages lie under its `python/`."""

    name: str
    folder: Path
    layers: Sequence[Path]
    variables: Mapping[str, str]
    handler: str
    timeout_seconds: int
    memory_mb: int


class LambdaEnvironment:
    """One execution environment: handles one event at a time, keeps its process warm in between. Use as a context manager."""

    def __init__(self, python: Path, function: BuiltFunction) -> None:
        self._python = python
        self._function = function
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the environment
        # The server and its queues belong to this environment alone: a killed child's open request must not eat another's event.
        self._server = _RuntimeApi(function)
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._child = subprocess.Popen(
            [self._python, "-s", "-m", "awslambdaric", self._function.handler],
            cwd=self._function.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=self._printed,
            stderr=subprocess.STDOUT,
        )
        return self

    def __exit__(self, *_: object) -> None:
        if self._child:
            self._child.kill()
            self._child.wait()
        self._server.shutdown()
        self._server.server_close()
        self._printed.close()

    def invoke(self, event: Any) -> Any:
        """Return the function's answer. Raises `FunctionFailed` when it raises, exits or takes too long."""
        self._server.events.put(json.dumps(event).encode())
        deadline = time.monotonic() + START_LIMIT_SECONDS + self._function.timeout_seconds
        while time.monotonic() < deadline:
            try:
                kind, body = self._server.answers.get(timeout=0.2)
            except queue.Empty:
                if self._child and self._child.poll() is not None:
                    raise FunctionFailed({"errorType": "Runtime.ExitError", "code": self._child.returncode}, self.printed()) from None
                continue
            if kind == "response":
                return json.loads(body)
            raise FunctionFailed(json.loads(body), self.printed())
        raise FunctionFailed({"errorType": "Sandbox.Timedout"}, self.printed())

    def printed(self) -> str:
        """Return what the function has logged so far."""
        size = os.fstat(self._printed.fileno()).st_size
        return os.pread(self._printed.fileno(), size, 0).decode(errors="replace")

    def _environment(self) -> dict[str, str]:
        function = self._function
        python_path = [str(function.folder), *(str(layer / "python") for layer in function.layers)]
        return {
            **function.variables,
            "PATH": os.defpath,
            "HOME": tempfile.gettempdir(),
            "LANG": "en_US.UTF-8",
            "PYTHONPATH": os.pathsep.join(python_path),
            "PYTHONFAULTHANDLER": "1",  # a crash of a compiled package says where
            "PYTHONDONTWRITEBYTECODE": "1",  # /opt and /var/task are read-only on Lambda
            "LAMBDA_TASK_ROOT": str(function.folder),
            "_HANDLER": function.handler,
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self._server.server_port}",
            "AWS_LAMBDA_FUNCTION_NAME": function.name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory_mb),
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_LOG_FORMAT": "JSON",
            "AWS_LAMBDA_LOG_LEVEL": "INFO",
        }


class _RuntimeApi(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, function: BuiltFunction) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.function = function
        self.events: queue.Queue[bytes] = queue.Queue()
        self.answers: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self.invocations = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # with this and the buffer a warm call takes under 1 ms; without, 88 ms
    wbufsize = -1
    server: _RuntimeApi

    def do_GET(self) -> None:
        body = self.server.events.get()
        self.server.invocations += 1
        function = self.server.function
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", f"00000000-0000-4000-8000-{self.server.invocations:012d}")
        self.send_header("Lambda-Runtime-Deadline-Ms", str(int((_wall_clock() + function.timeout_seconds) * 1000)))
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", f"arn:aws:lambda:us-east-1:123456789012:function:{function.name}")
        self.send_header("Lambda-Runtime-Trace-Id", "Root=1-6939e7a5-0f3c5a2b4d6e7f8091a2b3c4;Sampled=0")
        self._finish(body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kind = "response" if self.path.endswith("/response") else "error"
        if len(body) > RESPONSE_LIMIT_BYTES:
            kind, body = "error", b'{"errorType": "Function.ResponseSizeTooLarge"}'
        self.server.answers.put((kind, body))
        self.send_response(202)
        self._finish(b"")

    def _finish(self, body: bytes) -> None:
        self.send_header("Content-Type", "application/json")  # the client's native part crashes without one
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing: the function's own log is what matters."""


def _wall_clock() -> float:
    return time.time()  # noqa: TID251 - the deadline that Lambda gives its client is wall-clock time
