"""A vendor on a real socket: it does what its script says, byte by byte, however rude."""

import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from fermata.adapters.http.client import RequestsHttpClient
from fermata.adapters.http.egress import EgressPolicy
from fermata.domain.http_exchange import HttpAnswer, HttpFailure, HttpRequest


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    names: tuple[str, ...] = ()


Script = Callable[[Seen, socket.socket], bytes | None]


@dataclass
class Vendor:
    """Calls `script` for each request and sends what it returns; on None it hangs up. Closed by `with`."""

    script: Script
    host: str = "127.0.0.1"
    tls: ssl.SSLContext | None = None
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0

    def __enter__(self):
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        self._listener = socket.create_server((self.host, 0), family=family)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._listener.close()

    def url(self, path="/", host=None):
        name = host or (f"[{self.host}]" if ":" in self.host else self.host)
        return f"{'https' if self.tls else 'http'}://{name}:{self.port}{path}"

    def _accept(self):
        while True:
            try:
                wire, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(wire,), daemon=True).start()

    def _serve(self, wire):
        try:
            if self.tls:
                wire = self.tls.wrap_socket(wire, server_side=True)
            with wire, wire.makefile("rb") as lines:
                while (request := _read(lines)) is not None:
                    self.seen.append(request)
                    reply = self.script(request, wire)
                    if reply is None:
                        return
                    wire.sendall(reply)
        except (OSError, ValueError):  # hung up, or not talking HTTP
            return


def _read(lines):
    first = lines.readline().decode()
    if not first:
        return None
    method, path, _ = first.split(" ")
    headers = {}
    while (line := lines.readline().decode()) not in ("\r\n", ""):
        name, _, value = line.partition(":")
        headers[name] = value.strip()
    body = lines.read(int(headers.get("Content-Length", "0")))
    return Seen(method, path, {name.lower(): value for name, value in headers.items()}, body, tuple(headers))


def reply(body=b"", status="200 OK", headers=()):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(location, status="302 Found"):
    return reply(status=status, headers=[f"Location: {location}"])


def always(answer):
    """A script that sends the same bytes to everyone."""
    return lambda request, wire: answer


def once(answer):
    """A script that sends these bytes and hangs up."""

    def script(request, wire):
        wire.sendall(answer)

    return script


def hang(request, wire):
    """A script that says nothing until the client hangs up."""
    wire.recv(1)


def drip(request, wire, head=b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", drop=b"x"):
    """A script that never stops and never hurries: a byte every 20 ms until the client hangs up."""
    wire.sendall(head)
    wire.settimeout(0.02)
    while True:
        wire.sendall(drop)
        try:
            if not wire.recv(1):
                return
        except TimeoutError:
            continue


def client(*allow, **options):
    options.setdefault("transfer_allowance", timedelta(seconds=5))
    return RequestsHttpClient(EgressPolicy.parse(allow or ("loopback",)), **options)


def request(uri, method="GET", headers=None, body=None, *, connect=2000, read=2000):
    """A request with its timeouts in milliseconds."""
    return HttpRequest(method, uri, headers or {}, body, timedelta(milliseconds=connect), timedelta(milliseconds=read))


def answered(result):
    assert isinstance(result, HttpAnswer), result
    return result


def failed(result):
    assert isinstance(result, HttpFailure), result
    return result
