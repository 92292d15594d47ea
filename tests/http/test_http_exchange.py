"""The client against real sockets: what a good vendor gets, and what becomes of the others."""

import gzip
import logging
import socket
from datetime import timedelta
from itertools import count

import pytest
from fermata.adapters.http.headers import USER_AGENT
from fermata.domain.http_exchange import FailureKind

from tests.http.vendors import Vendor, always, answered, client, drip, failed, hang, once, redirect, reply, request


def send(script, *args, http=None, **kwargs):
    with Vendor(script) as vendor:
        return (http or client()).send(request(vendor.url(), *args, **kwargs)), vendor


def test_an_answer_is_complete():
    script = always(reply(b"<h1>hi</h1>", "201 Made It", ["Content-Type: text/html", "X-One: 1", "Set-Cookie: a=1", "Set-Cookie: b=2"]))
    answer = answered(send(script)[0])
    assert (answer.status_code, answer.reason_phrase, answer.body) == (201, "Made It", b"<h1>hi</h1>")
    assert answer.headers["Content-Type"] == ("text/html",)
    assert answer.headers["X-One"] == ("1",)
    assert answer.headers["Set-Cookie"] == ("a=1", "b=2")
    assert timedelta(0) < answer.latency < timedelta(seconds=2)


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
def test_an_answer_without_a_body_is_an_answer(status):
    answer = answered(send(always(f"HTTP/1.1 {status}\r\n\r\n".encode()))[0])
    assert answer.body == b""


def test_a_body_without_length_ends_with_the_connection():
    assert answered(send(once(b"HTTP/1.0 200 OK\r\n\r\nall of it"))[0]).body == b"all of it"


def test_a_chunked_body_is_joined():
    script = always(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert answered(send(script)[0]).body == b"abcde"


def test_errors_of_the_vendor_are_answers():
    answer = answered(send(always(reply(b"no", "503 Busy", ["Retry-After: 7"])))[0])
    assert (answer.status_code, answer.headers["Retry-After"], answer.body) == (503, ("7",), b"no")


def test_the_request_arrives_as_meant():
    _, vendor = send(always(reply()), "POST", {"Content-Type": "application/json", "X-Name": "grüße"}, b'{"a": 1}')
    (seen,) = vendor.seen
    assert (seen.method, seen.path, seen.body) == ("POST", "/", b'{"a": 1}')
    assert seen.headers["content-length"] == "8"
    assert seen.headers["host"] == f"127.0.0.1:{vendor.port}"
    assert seen.headers["user-agent"] == USER_AGENT
    assert seen.headers["accept-encoding"] == "gzip, deflate"
    assert seen.headers["x-name"] == "grüße"
    assert "cookie" not in seen.headers


def test_a_given_user_agent_and_host_are_kept():
    _, vendor = send(always(reply()), headers={"User-Agent": "mine", "Host": "tenant.example", "X-Odd": "@@@SKIP_HEADER@@@"})
    assert vendor.seen[0].headers["user-agent"] == "mine"
    assert vendor.seen[0].headers["host"] == "tenant.example"
    assert vendor.seen[0].headers["x-odd"] == "@@@SKIP_HEADER@@@"


def test_a_post_without_a_body_says_so():
    _, vendor = send(always(reply()), "POST")
    assert vendor.seen[0].headers["content-length"] == "0"


def test_the_path_is_not_touched():
    with Vendor(always(reply())) as vendor:
        answered(client().send(request(vendor.url("/a/../b//%2f/c d?x=%20&y=ü#frag"))))
    assert vendor.seen[0].path.lower() == "/a/../b//%2f/c%20d?x=%20&y=%c3%bc"


def test_proxies_and_netrc_of_the_environment_are_ignored(monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password hush\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere")
    result, vendor = send(always(reply()))
    answered(result)
    assert "authorization" not in vendor.seen[0].headers


def test_gzip_is_undone():
    assert answered(send(always(reply(gzip.compress(b"plain"), headers=["Content-Encoding: gzip"])))[0]).body == b"plain"


@pytest.mark.parametrize(
    ("wire", "kind"),
    [
        (b"", FailureKind.RESET),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", FailureKind.RESET),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", FailureKind.RESET),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", FailureKind.RESET),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n", FailureKind.UNREADABLE),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nab\r\n", FailureKind.UNREADABLE),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", FailureKind.UNREADABLE),
        (b"HTTP/1.1 twohundred OK\r\n\r\n", FailureKind.UNREADABLE),
        (b"\x15\x03\x01\x00\x02\x02P\r\n\r\n", FailureKind.UNREADABLE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", FailureKind.UNREADABLE),
        (b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(500)) + b"\r\n", FailureKind.UNREADABLE),
        (b"HTTP/1.1 200 OK\r\nX-Long: " + b"y" * 100_000 + b"\r\n\r\n", FailureKind.UNREADABLE),
        (reply(b"no gzip", headers=["Content-Encoding: gzip"]), FailureKind.UNREADABLE),
        (reply(b"?", headers=["Content-Encoding: br"]), FailureKind.UNREADABLE),
    ],
    ids=[
        "nothing",
        "short body",
        "cut chunk",
        "no chunk",
        "chunk size no number",
        "negative chunk size",
        "another protocol",
        "status no number",
        "binary",
        "two lengths",
        "too many headers",
        "long header",
        "no gzip",
        "brotli",
    ],
)
def test_garbled_and_cut_answers_are_failures(wire, kind):
    result, vendor = send(once(wire))
    failure = failed(result)
    assert failure.kind is kind, failure
    assert f"127.0.0.1:{vendor.port}" in failure.reason


def test_odd_but_harmless_answers_are_read():
    script = once(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nContent-Length: seven\r\nbroken line\r\n\r\nbody")
    assert answered(send(script)[0]).status_code == 200


def test_a_reset_in_the_middle_of_a_body_is_a_reset():
    def script(seen, wire):
        wire.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        wire.shutdown(socket.SHUT_RD)

    assert failed(send(script)[0]).kind is FailureKind.RESET


def test_a_body_of_the_limit_passes_and_one_byte_more_does_not():
    http = client(max_body_bytes=100_000)
    assert len(answered(send(always(reply(b"x" * 100_000)), http=http)[0]).body) == 100_000
    failure = failed(send(always(reply(b"x" * 100_001)), http=http)[0])
    assert failure.kind is FailureKind.TOO_LARGE
    assert "100000 bytes" in failure.reason


def test_a_body_over_lambdas_limit_is_too_large():
    def script(seen, wire):
        wire.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            wire.sendall(b"x" * 1_000_000)

    assert failed(send(script)[0]).kind is FailureKind.TOO_LARGE


@pytest.mark.parametrize("head", [b"Content-Length: 10000000000", b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFF\r\n" + b"x" * 200_000])
def test_a_promise_of_too_much_is_not_waited_for(head):
    def script(seen, wire):
        wire.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n")
        hang(seen, wire)

    assert failed(send(script, http=client(max_body_bytes=100_000))[0]).kind is FailureKind.TOO_LARGE


def test_a_head_request_may_promise_anything():
    script = always(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\nContent-Encoding: gzip\r\n\r\n")
    answer = answered(send(script, "HEAD")[0])
    assert (answer.body, answer.headers["Content-Length"]) == (b"", ("10000000000",))


def test_a_gzip_bomb_is_too_large():
    bomb = gzip.compress(b"\0" * 20_000_000)
    assert failed(send(always(reply(bomb, headers=["Content-Encoding: gzip"])))[0]).kind is FailureKind.TOO_LARGE


def test_bytes_past_the_promised_length_are_not_taken_for_the_next_answer():
    http = client()
    with Vendor(always(reply(b"ok") + reply(b"forged", "200 Forged"))) as vendor:
        for _ in range(3):
            answer = answered(http.send(request(vendor.url())))
            assert (answer.reason_phrase, answer.body) == ("OK", b"ok")


def test_silence_ends_with_the_read_timeout():
    result, vendor = send(hang, read=150)
    failure = failed(result)
    assert failure.kind is FailureKind.TIMEOUT
    assert failure.reason == f"127.0.0.1:{vendor.port} sent nothing for 150 ms, the read timeout."
    assert timedelta(milliseconds=140) < failure.latency < timedelta(seconds=1)


def test_silence_after_the_head_ends_with_the_read_timeout():
    def script(seen, wire):
        wire.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
        hang(seen, wire)

    assert failed(send(script, read=150)[0]).kind is FailureKind.TIMEOUT


DRIPS = {
    "body": (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b"x"),
    "chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    "gzip": (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", b"x"),
    "header": (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"),
    "status line": (b"", b"H"),
    "interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.parametrize(("head", "drop"), DRIPS.values(), ids=DRIPS)
def test_a_drip_feed_ends_with_the_time_for_the_whole_call(head, drop):
    http = client(transfer_allowance=timedelta(milliseconds=100))
    result, vendor = send(lambda seen, wire: drip(seen, wire, head, drop), http=http, connect=100, read=100)
    failure = failed(result)
    assert failure.kind is FailureKind.TIMEOUT
    assert failure.reason == f"The answer of 127.0.0.1:{vendor.port} was not complete after 300 ms."
    assert failure.latency < timedelta(seconds=1)


def test_the_time_for_the_whole_call_is_measured_on_the_given_clock():
    """Each look at the clock costs 50 ms; the vendor is as fast as it can."""
    ticks = count()
    http = client(clock=lambda: next(ticks) * 0.05, transfer_allowance=timedelta(0), max_body_bytes=1_000_000_000)

    def script(seen, wire):
        wire.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            wire.sendall(b"x" * 10_000)

    failure = failed(send(script, http=http, connect=1000, read=1000)[0])
    assert failure.kind is FailureKind.TIMEOUT
    assert "not complete after 2000 ms" in failure.reason
    assert failure.latency >= timedelta(seconds=2)


def test_a_vendor_that_does_not_take_the_request_is_a_timeout():
    def script(seen, wire):
        raise AssertionError("the request is never complete")

    with socket.create_server(("127.0.0.1", 0)) as deaf:
        http = client(transfer_allowance=timedelta(milliseconds=100))
        uri = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        assert failed(http.send(request(uri, "POST", body=b"x" * 30_000_000, connect=100, read=100))).kind is FailureKind.TIMEOUT


def test_a_refused_connection_names_host_and_port():
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    failure = failed(client().send(request(f"http://127.0.0.1:{port}/secret-path?token=hush")))
    assert failure.kind is FailureKind.CONNECT
    assert failure.reason == f"No connection to 127.0.0.1:{port}: connection refused."


def test_a_connection_that_does_not_come_about_is_a_timeout():
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for sock in waiting:
            sock.setblocking(False)  # noqa: FBT003
            sock.connect_ex(full.getsockname())
        port = full.getsockname()[1]
        failure = failed(client().send(request(f"http://127.0.0.1:{port}/", connect=150)))
        for sock in waiting:
            sock.close()
    assert failure.kind is FailureKind.TIMEOUT
    assert failure.reason == f"No connection to 127.0.0.1:{port} within the connection timeout of 150 ms."


@pytest.mark.parametrize(
    ("method", "uri", "headers"),
    [
        ("GET", "not a uri", {}),
        ("GET", "http://127.0.0.1:1/\r\nEvil: 1", {}),
        ("GET", "http://127.0.0.1:1/", {"X-A": "b\r\nEvil: 1"}),
        ("GET", "http://127.0.0.1:1/", {"X A": "b"}),
        ("GET /\r\n", "http://127.0.0.1:1/", {}),
    ],
)
def test_what_cannot_be_sent_is_a_failure(method, uri, headers):
    assert failed(client().send(request(uri, method, headers))).kind is FailureKind.BAD_URI


@pytest.mark.parametrize("timeout", [timedelta(0), timedelta(seconds=-5), timedelta.max])
def test_absurd_timeouts_raise_nothing(timeout):
    wanted = request("http://127.0.0.1:1/")
    failed(client().send(type(wanted)("GET", wanted.uri, connection_timeout=timeout, read_timeout=timeout)))


def test_no_secret_reaches_the_log(caplog):
    caplog.set_level(logging.DEBUG)
    with Vendor(once(b"HTTP/1.1 200 OK\r\nX-Fine: 1\r\nbroken hush\r\n\r\n")) as vendor:
        client().send(request(vendor.url("/p?token=hush").replace("//", "//user:hush@"), headers={"X-Api-Key": "hush"}))
    assert "/p" in caplog.text
    assert "hush" not in caplog.text


def test_redirects_are_followed_and_relative_ones_resolved():
    def script(seen, wire):
        return {"/a/b": redirect("c?x=1"), "/a/c?x=1": redirect("/d", "307 Again"), "/d": reply(b"here")}[seen.path]

    with Vendor(script) as vendor:
        answer = answered(client().send(request(vendor.url("/a/b"), headers={"Authorization": "s"})))
    assert answer.body == b"here"
    assert [seen.headers["authorization"] for seen in vendor.seen] == ["s"] * 3


@pytest.mark.parametrize(("status", "method", "body"), [("302 Found", "GET", b""), ("307 Again", "POST", b"{}")])
def test_a_redirected_post_keeps_its_body_only_where_http_says_so(status, method, body):
    def script(seen, wire):
        return redirect("/next", status) if seen.path == "/" else reply(b"done")

    result, vendor = send(script, "POST", {"Content-Type": "application/json"}, b"{}")
    answered(result)
    assert (vendor.seen[1].method, vendor.seen[1].body) == (method, body)
    assert ("content-type" in vendor.seen[1].headers) == (method == "POST")


def test_a_redirect_loop_ends_after_five():
    result, vendor = send(always(redirect("/")))
    assert failed(result).kind is FailureKind.REDIRECTS
    assert len(vendor.seen) == 6


def test_the_body_of_a_redirect_is_not_waited_for():
    def script(seen, wire):
        if seen.path == "/":
            wire.sendall(b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 99999999999\r\n\r\n")
            return hang(seen, wire)
        return reply(b"next")

    assert answered(send(script)[0]).body == b"next"


def test_authorization_and_cookies_do_not_follow_to_another_origin():
    secret = {"Authorization": "s", "Cookie": "s", "X-Api-Key": "s", "X-Authorization": "s", "Accept": "text/csv"}
    with Vendor(always(reply(b"elsewhere"))) as other:

        def script(seen, wire):
            return reply(status="302 Found", headers=[f"Location: {other.url('/x')}", "Set-Cookie: tracking=1"])

        result, vendor = send(script, headers=secret)
    assert answered(result).body == b"elsewhere"
    assert vendor.seen[0].headers["x-api-key"] == "s"
    assert not {name.lower() for name in secret} - {"accept"} & set(other.seen[0].headers) - {"accept"}
    assert other.seen[0].headers["accept"] == "text/csv"
    assert other.seen[0].headers["host"] == f"127.0.0.1:{other.port}"


def test_cookies_are_not_kept():
    http = client()
    with Vendor(always(reply(headers=["Set-Cookie: a=1; Path=/"]))) as vendor:
        answered(http.send(request(vendor.url())))
        answered(http.send(request(vendor.url())))
    assert "cookie" not in vendor.seen[1].headers
