"""The local server turns sockets into gateway requests and answers."""

import http.client
import json
import socket

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


def test_a_taken_port_is_said_so_with_what_to_do():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(server.PortTaken, match=f"fermata serve --port {port + 1}"):
            server.listen("127.0.0.1", port, _echo)
