"""What every `HttpClient` keeps to, whatever is behind it."""

from datetime import timedelta

import pytest
from fermata.adapters.memory.scripted_http import ScriptedHttpClient
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure, HttpRequest

from tests.http.vendors import Vendor, client, reply


def on_the_wire(seen, wire):
    """The vendor of this suite, for real: hangs up on /gone, says 404 on /missing, echoes on all else."""
    match seen.path:
        case "/gone":
            return None
        case "/missing":
            return reply(b"no such job", "404 Not Found")
        case _:
            content_type = seen.headers.get("content-type", "")
            return reply(
                seen.method.encode() + b" " + seen.body, headers=[f"Content-Type: {content_type}", "Set-Cookie: a=1", "Set-Cookie: b=2"]
            )


def in_memory(request):
    """The same vendor as a function."""
    match request.uri.rpartition("/")[2]:
        case "gone":
            return HttpFailure(FailureKind.RESET, "vendor.example:80 closed the connection before its answer was complete.")
        case "missing":
            return HttpAnswer(404, "Not Found", {}, b"no such job")
        case _:
            headers = {"Content-Type": (request.headers.get("Content-Type", ""),), "Set-Cookie": ("a=1", "b=2")}
            return HttpAnswer(200, "OK", headers, request.method.encode() + b" " + (request.body or b""))


@pytest.fixture(params=["requests", "scripted"])
def vendor(request):
    """A client, and the address of the vendor it talks to."""
    if request.param == "scripted":
        yield ScriptedHttpClient(in_memory), "http://vendor.example"
        return
    with Vendor(on_the_wire) as real:
        yield client(), real.url("")


def test_an_answer_brings_status_reason_and_body(vendor):
    http, address = vendor
    answer = http.send(HttpRequest("GET", f"{address}/jobs"))
    assert isinstance(answer, HttpAnswer)
    assert (answer.status_code, answer.reason_phrase, answer.body) == (200, "OK", b"GET ")
    assert answer.latency >= timedelta(0)


def test_a_header_has_all_its_values_in_order(vendor):
    http, address = vendor
    answer = http.send(HttpRequest("GET", f"{address}/jobs"))
    assert answer.headers["Set-Cookie"] == ("a=1", "b=2")


def test_method_headers_and_body_reach_the_vendor(vendor):
    http, address = vendor
    answer = http.send(HttpRequest("POST", f"{address}/jobs", {"Content-Type": "text/csv"}, b"1,2"))
    assert answer.body == b"POST 1,2"
    assert answer.headers["Content-Type"] == ("text/csv",)


def test_a_status_that_means_failure_is_an_answer(vendor):
    http, address = vendor
    answer = http.send(HttpRequest("GET", f"{address}/missing"))
    assert (answer.status_code, answer.body) == (404, b"no such job")


def test_no_answer_is_a_value_with_a_reason(vendor):
    http, address = vendor
    failure = http.send(HttpRequest("GET", f"{address}/gone"))
    assert isinstance(failure, HttpFailure)
    assert failure.kind is FailureKind.RESET
    assert failure.reason.endswith(".")
    assert failure.latency >= timedelta(0)


def test_a_failure_does_not_spoil_the_client(vendor):
    http, address = vendor
    http.send(HttpRequest("GET", f"{address}/gone"))
    assert http.send(HttpRequest("GET", f"{address}/jobs")).status_code == 200


def test_the_scripted_client_remembers_what_it_was_asked():
    http = ScriptedHttpClient(in_memory)
    asked = [HttpRequest("GET", "http://vendor.example/jobs"), HttpRequest("DELETE", "http://vendor.example/jobs")]
    for request in asked:
        http.send(request)
    assert http.requests == asked
