"""HTTP on a local port in front of the local cloud."""

import errno
import re
import socket
import string
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from werkzeug.exceptions import BadRequest, HTTPException, RequestEntityTooLarge
from werkzeug.http import http_date
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

from fermata_local.lambda_events import GatewayAnswer, GatewayRequest, refusal

AGAIN = "make serve PORT={port}, or fermata serve --port {port}"
HOST = "127.0.0.1"
# API Gateway's own limit for a request body.
BODY_LIMIT_BYTES = 10 * 1024 * 1024
_UNREADABLE = "The request cannot be read"


class PortTaken(Exception):
    """The port or the host cannot be listened on. The message says what to do."""


class _Handler(WSGIRequestHandler):
    # Head and body are written apart; with Nagle's algorithm a kept-alive client would wait 40 ms for the second.
    disable_nagle_algorithm = True

    def handle_expect_100(self) -> bool:
        """Leave it to werkzeug, which sends the interim answer itself: twice would confuse a client."""
        return True

    def send_response(self, code: int, message: str | None = None) -> None:
        """Begin an answer without the Date that the base class adds: two of them are none to a browser."""
        self.send_response_only(code, message)
        self.send_header("Server", self.version_string())

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request whose head cannot be read, in Conductor's words: to the application it never comes."""
        short, long = self.responses.get(code, (_UNREADABLE, _UNREADABLE))
        reply = refusal(code, f"{message or short}. {explain or long}.")
        self.request_version = self.protocol_version  # what could not be read counts as HTTP/0.9, whose answers have no head
        self.send_response(code, short)
        for name, value in {**reply.headers, "Date": http_date(), "Content-Length": str(len(reply.body)), "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def log_error(self, *args: object) -> None:
        """Stay silent, as with requests that can be read."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Stay silent: a client knows what it asked."""


def listen(host: str, port: int, answer: Callable[[GatewayRequest], GatewayAnswer], again: str = AGAIN) -> BaseWSGIServer:
    """Return a threaded server that listens already; call its `serve_forever`. Raises `PortTaken`. Port 0 takes a free one.

    `again`: how to choose another port.
    """
    with _bound(host, port, again) as bound:  # werkzeug makes a copy of the descriptor
        server = make_server(host, port, _application(answer), threaded=True, request_handler=_Handler, fd=bound.fileno())
    server.daemon_threads = True  # type: ignore[attr-defined]
    return server


def address(server: BaseWSGIServer) -> str:
    host, port = server.socket.getsockname()[:2]
    return f"http://{host}:{port}"


def _bound(host: str, port: int, again: str) -> socket.socket:
    """Bind here, because werkzeug leaves the process when a port is taken."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            why = "is taken" if error.errno == errno.EADDRINUSE else "needs more rights than you have"
            other = port + 1 if error.errno == errno.EADDRINUSE else 8080
            raise PortTaken(f"Port {port} {why}. Choose another: {again.format(port=other)}") from error
        raise PortTaken(f"Cannot listen on {host}: {error.strerror}. Choose an address of this machine, such as --host {HOST}") from error
    return listener


@contextmanager
def serving(answer: Callable[[GatewayRequest], GatewayAnswer], host: str = HOST, port: int = 0) -> Iterator[str]:
    """Serve in the background and give the server's address. Raises `PortTaken`."""
    server = listen(host, port, answer)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="http", daemon=True).start()
    try:
        yield address(server)
    finally:
        server.shutdown()
        server.server_close()


def _application(answer: Callable[[GatewayRequest], GatewayAnswer]) -> Callable[..., Any]:
    @Request.application
    def application(request: Request) -> Response:
        request.max_content_length = BODY_LIMIT_BYTES
        try:
            _check_length(request.environ.get("CONTENT_LENGTH"))
            body = request.get_data()  # chunked or not: a gateway hands on the whole
        except RequestEntityTooLarge:
            reply = refusal(413, f"The body is larger than the {BODY_LIMIT_BYTES // 1024 // 1024} MB that a gateway takes.")
        except HTTPException as error:
            reply = refusal(error.code or 400, error.description or "The request cannot be read.")
        else:
            reply = answer(GatewayRequest(request.method, _target(request), tuple(request.headers), body, request.remote_addr or ""))
        response = Response(reply.body, reply.status)
        if not any(name.lower() == "content-type" for name in reply.headers):
            del response.headers["Content-Type"]
        for name, value in reply.headers.items():
            if name.lower() != "content-length":
                response.headers[name] = value
        response.headers.setdefault("Date", http_date())
        if request.method == "HEAD":
            response.automatically_set_content_length = False  # it would speak of the body that is left out
        return response

    return application


def _check_length(told: str | None) -> None:
    """Raises `BadRequest` for a Content-Length that is no number: werkzeug would take the body for an empty one."""
    if told and not re.fullmatch(r"[0-9]{1,18}", told):
        raise BadRequest(f"The header Content-Length must be a whole number of bytes, not {told[:40]!r}.")


def _target(request: Request) -> str:
    """Return path and query in ASCII: bytes that should have been percent-encoded and were not (curl sends them so) are encoded here."""
    raw: str = request.environ.get("REQUEST_URI") or request.full_path
    sent = raw.encode("latin-1", "replace").decode("utf-8", "replace")  # undoes what WSGI asks for: the request line as latin-1
    return quote(sent.encode("latin-1", "replace"), safe=string.punctuation)
