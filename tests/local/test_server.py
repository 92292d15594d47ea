"""The local server turns sockets into gateway requests and answers."""

import http.client
import json
import socket
import urllib.request

import pytest
import requests
from fermata_local import server
from fermata_local.lambda_events import GatewayAnswer


def _echo(request):
    body = {"method": request.method, "target": request.target, "body": request.body.decode()}
    return GatewayAnswer(200, {"content-type": "application/json"}, json.dumps(body).encode())


def test_a_request_is_passed_on_as_it_was_sent():
    with server.serving(_echo) as url:
        answer = requests.post(f"{url}/api/a%3Ab?q=a%20b", data="{}", timeout=5)
    assert answer.json() == {"method": "POST", "target": "/api/a%3Ab?q=a%20b", "body": "{}"}
    assert answer.headers["content-type"] == "application/json"


def test_a_path_and_a_query_with_bare_utf_8_mean_the_same_as_encoded_ones():
    with server.serving(_echo) as url, socket.create_connection(url.removeprefix("http://").split(":"), 5) as client:
        client.sendall("GET /api/jöb?q=é%20\x7f HTTP/1.0\r\n\r\n".encode())
        body = client.makefile("rb").read().rpartition(b"\r\n\r\n")[2]
    assert json.loads(body)["target"] == "/api/j%C3%B6b?q=%C3%A9%20%7F"


def test_a_request_that_cannot_be_read_is_refused_in_conductors_words():
    with server.serving(_echo) as url, socket.create_connection(url.removeprefix("http://").split(":"), 5) as client:
        client.sendall(b"POST /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n")
        body = client.makefile("rb").read().rpartition(b"\r\n\r\n")[2]
    assert (json.loads(body)["status"], json.loads(body)["retryable"]) == (400, False)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /x HTTP/banana\r\n\r\n", 400),
        (b"GET /x y HTTP/1.1\r\n\r\n", 400),
        (b"POST /x\r\n\r\n", 400),
        (b"GET /x HTTP/2.0\r\n\r\n", 505),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /x HTTP/1.1\r\n" + b"".join(b"h%d: v\r\n" % number for number in range(150)) + b"\r\n", 431),
        (b"GET /x HTTP/1.1\r\nh: " + b"v" * 70_000 + b"\r\n\r\n", 431),
        (b"POST /x HTTP/1.1\r\nContent-Length: 2, 2\r\n\r\n{}", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: two\r\n\r\n{}", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: -2\r\n\r\n{}", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: +2\r\n\r\n{}", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
    ],
)
def test_what_is_no_http_is_refused_with_the_error_body(sent, status):
    with server.serving(_echo) as url, socket.create_connection(url.removeprefix("http://").split(":"), 5) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        answer = http.client.HTTPResponse(client)
        answer.begin()
        body = json.loads(answer.read())
    assert (answer.status, answer.headers["content-type"]) == (status, "application/json")
    assert (body["status"], body["retryable"]) == (status, False)


def test_a_chunked_body_arrives_whole():
    with server.serving(_echo) as url:
        answer = requests.post(f"{url}/x", data=iter([b'{"a"', b": 1}"]), timeout=5)
    assert answer.json()["body"] == '{"a": 1}'


def test_an_empty_answer_has_no_content_type():
    with server.serving(lambda _request: GatewayAnswer(204)) as url:
        connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
        connection.request("DELETE", "/x")
        answer = connection.getresponse()
        assert (answer.status, answer.read(), answer.headers.get("Content-Type")) == (204, b"", None)
        connection.close()


@pytest.mark.parametrize("told", [{"Date": "Tue, 10 Feb 2026 00:00:00 GMT"}, {}])
def test_an_answer_has_one_date_and_it_is_the_clouds_where_that_tells_one(told):
    with server.serving(lambda _request: GatewayAnswer(200, told)) as url, urllib.request.urlopen(url) as answer:
        (date,) = answer.headers.get_all("Date")
        assert date == told.get("Date", date)


def test_a_body_too_big_for_a_gateway_is_413_in_conductors_words(monkeypatch):
    monkeypatch.setattr(server, "BODY_LIMIT_BYTES", 1024 * 1024)
    with server.serving(_echo) as url:
        answer = requests.post(f"{url}/x", data=b"x" * (1024 * 1024 + 1), timeout=5)
    assert (answer.status_code, answer.json()["status"]) == (413, 413)
    assert "1 MB" in answer.json()["message"]


def test_a_client_that_waits_for_100_continue_gets_it_once():
    with server.serving(_echo) as url, socket.create_connection(url.removeprefix("http://").split(":"), 5) as client:
        client.sendall(b"POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"{}")
        assert client.recv(12) == b"HTTP/1.1 200"


def test_a_taken_port_is_said_so_with_what_to_do():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(server.PortTaken, match=f"fermata serve --port {port + 1}"):
            server.listen("127.0.0.1", port, _echo)
