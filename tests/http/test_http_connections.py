"""Connections kept for the next call: reused, distrusted, and never a reason to send a POST twice."""

import socket

import pytest
from fermata.adapters.http import transport
from fermata.domain.http_exchange import FailureKind

from tests.http.vendors import Vendor, always, answered, client, failed, reply, request

RST_ON_CLOSE = b"\x01\0\0\0\0\0\0\0"


def answers_once_per_connection(seen, wire):
    """The first request is answered, the second one on the same connection is met with a reset: a stale connection."""
    if id(wire) in served:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RST_ON_CLOSE)
        return None
    served.add(id(wire))
    return reply(b"fine")


served: set[int] = set()


@pytest.fixture(autouse=True)
def _fresh():
    served.clear()


def test_a_connection_is_reused():
    http = client()
    with Vendor(always(reply(b"fine"))) as vendor:
        for _ in range(3):
            answered(http.send(request(vendor.url())))
    assert vendor.connections == 1


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD"])
def test_an_idempotent_request_on_a_stale_connection_is_sent_again_once(method):
    http = client()
    with Vendor(answers_once_per_connection) as vendor:
        answered(http.send(request(vendor.url())))
        answered(http.send(request(vendor.url("/second"), method)))
    assert vendor.connections == 2


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_post_never_travels_on_a_kept_connection(method):
    http = client()
    with Vendor(answers_once_per_connection) as vendor:
        answered(http.send(request(vendor.url())))
        answered(http.send(request(vendor.url("/second"), method, body=b"{}")))
    assert vendor.connections == 2
    assert [seen.method for seen in vendor.seen] == ["GET", method]


def reset(seen, wire):
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RST_ON_CLOSE)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_reset_of_a_fresh_connection_is_a_failure_at_once(method):
    with Vendor(reset) as vendor:
        assert failed(client().send(request(vendor.url(), method, body=b"{}"))).kind is FailureKind.RESET
    assert len(vendor.seen) == 1


def test_the_second_try_is_the_last():
    http = client()

    def script(seen, wire):
        return reply() if seen.path == "/" else reset(seen, wire)

    with Vendor(script) as vendor:
        answered(http.send(request(vendor.url())))
        assert failed(http.send(request(vendor.url("/reset")))).kind is FailureKind.RESET
    assert [seen.path for seen in vendor.seen] == ["/", "/reset", "/reset"]


def test_a_connection_idle_for_too_long_is_not_trusted(monkeypatch):
    http = client()
    with Vendor(always(reply(b"fine"))) as vendor:
        answered(http.send(request(vendor.url())))
        monkeypatch.setattr(transport, "MAX_IDLE_SECONDS", 0.0)
        answered(http.send(request(vendor.url())))
    assert vendor.connections == 2


def test_a_connection_with_an_unread_answer_is_not_reused():
    http = client(max_body_bytes=10)

    def script(seen, wire):
        return reply(b"x" * 1000) if seen.path == "/big" else reply(b"small")

    with Vendor(script) as vendor:
        failed(http.send(request(vendor.url("/big"))))
        assert answered(http.send(request(vendor.url()))).body == b"small"
    assert vendor.connections == 2


def test_closing_lets_go_of_the_connections():
    http = client()
    with Vendor(always(reply())) as vendor:
        answered(http.send(request(vendor.url())))
        http.close()
        answered(http.send(request(vendor.url())))
    assert vendor.connections == 2
