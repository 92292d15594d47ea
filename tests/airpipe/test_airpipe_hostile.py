"""What a hostile vendor or caller may say: refused or contained, and before a paid job is started where that can be known."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from fermata.domain.airpipe.actions import Action, HttpSource
from fermata.domain.airpipe.addresses import wrong_address
from fermata.domain.airpipe.admission import refusal
from fermata.domain.airpipe.attempts import Made, wait_until_next
from fermata.domain.airpipe.json_text import parsed
from fermata.domain.airpipe.requesting import Tried, data_of, request_of
from fermata.domain.airpipe.retrying import Retry
from fermata.domain.http_exchange import HttpAnswer

from tests.support.airpipe import config, read, refusals, sight

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://017700000001/",
        "http://0/",
        "http://\uff11\uff12\uff17.0.0.1/",  # full-width digits
        "http://169.254.169.254/latest/meta-data",
        "http://169.254.169.254./",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[fd00:ec2::254]/",
        "http://10.0.0.1:8080/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://example.com@127.0.0.1/",
        "HTTP://LOCALHOST/",
        "http://localhost./",
        "http://x.localhost/",
        "http://metadata.google.internal/",
        "http://printer.local/",
        "http://intranet/",
        "http://example.com\\@127.0.0.1/",
        "http://exa mple.com/",
        "http://example.com:99999/",
        "http://[::1/",
        "//127.0.0.1/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "example.com/hook",
        "http:///x",
        "",
    ],
)
def test_an_address_that_is_none_or_inside(url):
    assert wrong_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/hook?x=http://127.0.0.1/",
        "http://8.8.8.8/",
        "https://[2606:4700::1111]/",
        "https://1.example.com:8443/",
        "http://08.example.org/",
    ],
)
def test_a_public_address(url):
    assert wrong_address(url) is None


NOTIFIES = {"name": "Notify", "run_when_succeeded": ["Submit"]}
SUBMIT = {"name": "Submit", "http": {"url": "https://api.test/jobs", "method": "POST"}}


@pytest.mark.parametrize(
    ("action", "body", "says"),
    [
        ({"http": {"url": "a|body::hook|"}}, {}, "Notify: cannot resolve a|body::hook|"),
        ({"http": {"url": "a|body::hook|"}}, {"hook": "http://127.1/"}, "not a public address"),
        ({"http": {"url": "a|body::hook|"}}, {"hook": 5}, "no address"),
        ({"http": {"url": "https://a|body::host|/x"}}, {"host": "10.0.0.1"}, "not a public address"),
        ({"http": {"url": "a|var::base|/a|body::id|"}}, {}, "cannot resolve a|body::id|"),  # in part is enough
        ({"http": {"url": "a|Submit::body.url|?id=a|body::id|"}}, {"id": "x\r\nhost: y"}, "line break"),
        ({"http": {"url": "https://x.test", "headers": {"x": "a|body::id|"}}}, {"id": "x\r\ny: z"}, "line break"),
        ({"http": {"url": "https://x.test", "headers": {"x": "Bearer a|body::id|"}}}, {}, "cannot resolve"),
        ({"http": {"url": "https://x.test", "method": "PUT", "idempotency": {"key": "a|body::id|"}}}, {}, "cannot resolve"),
        ({"http": {"url": "https://x.test/a|body::jq::.id \\| tostring|"}}, {"id": "\n"}, "line break"),
        ({"state": {"get": {"key": "a|body::id|"}}}, {}, "cannot resolve"),
        ({"state": {"get": {"key": "k", "namespace": "a|body::id|"}}}, {}, "cannot resolve"),
        ({"http": {"url": "a|body::hook->default(https://x.test)|"}}, {}, None),
        ({"http": {"url": "a|body::hook|"}, "response_on_error": {"http_code": 422}}, {}, None),  # the author says what happens then
        ({"http": {"url": "a|body::hook|"}, "response_on_error": {"http_code": 422}}, {"hook": "http://127.1/"}, "not a public address"),
        ({"http": {"url": "a|body::hook|"}, "run_on_assertion": {"tests": [{"custom_value": 1, "is_null": True}]}}, {}, None),
    ],
)
def test_what_the_caller_gives_is_looked_at_before_a_job_is_paid_for(action, body, says):
    value = config(SUBMIT, {**NOTIFIES, **action})
    value["global"] = {"variables": {"base": "https://x.test"}}
    found = refusal(read(value).interfaces[0].actions, sight(body=body))
    assert (says in found) if says and found else found is says, found


def test_nothing_behind_an_action_that_answers_is_looked_at():
    first = {"name": "Submit", "json_output": {}, "response_on_success": {"body": "done"}}
    actions = read(config(first, {**NOTIFIES, "http": {"url": "a|body::hook|"}})).interfaces[0].actions
    assert refusal(actions, sight(body={})) is None


@pytest.mark.parametrize("text", ["1e999", "[-1e999]", '{"a": 1e400}', "NaN", "Infinity", "[" * 10_000, "9" * 10_000])
def test_a_number_or_a_depth_that_cannot_be_kept_is_no_json(text):
    with pytest.raises(ValueError, match=r"number|deep|digits"):
        parsed(text)
    assert data_of(HttpAnswer(200, "OK", {}, text.encode()))["body"] == text


def test_half_of_a_surrogate_pair_becomes_a_letter_that_can_be_kept():
    found = data_of(HttpAnswer(200, "OK", {}, b'{"id": "x\\ud800y", "k\\udfff": ["\\ud83d\\ude00"]}'))["body"]
    assert found == {"id": "x\ufffdy", "k\ufffd": ["\U0001f600"]}
    json.dumps(found, ensure_ascii=False).encode()


@pytest.mark.parametrize("body", ["a|params::x|", {"x": "a|params::x|"}, '{"x": "a|params::x|"}'])
def test_no_letter_stops_a_request(body):
    source = HttpSource("https://x.test/a|params::x|", "POST", body=body)
    request = request_of(source, sight(params={"x": "\ud800"}), "key")
    assert request.body is not None
    assert request.uri.isascii()


@pytest.mark.parametrize(
    ("retry", "wish", "hours"),
    [
        (Retry(3, timedelta(minutes=1)), "99999999999", 1),
        (Retry(3, timedelta(hours=2)), "99999999999", 2),
        (Retry(3, timedelta(minutes=1), max_delay=timedelta(hours=5)), "99999999999", 5),
        (Retry(3, timedelta(hours=1)), "Fri, 31 Dec 9999 23:59:59 GMT", 1),
        (Retry(3, timedelta(hours=1)), "9" * 5000, 1),
        (Retry(3, timedelta(hours=1)), "soon", 1),
    ],
)
def test_a_vendor_cannot_park_a_run_for_years(retry, wish, hours):
    action = Action("A", HttpSource("https://x"), retry=retry)
    made = Made(NOW, NOW, Tried({}, again=True, retry_after=wish))
    assert wait_until_next(action, "t", 1, made) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ({"http": {"url": "https://x", "method": "a|params::m|"}}, "http.method: must be a method"),
        ({"http": {"url": "https://x", "method": "GE T"}}, "http.method: must be a method"),
        ({"http": {"url": "https://x", "headers": {"x\r\ny": "1"}}}, "is no name of a header"),
        ({"http": {"url": "https://x", "headers": {"x": "1\r\ny: 2"}}}, "http.headers.x: may not hold a line break"),
        ({"http": {"url": "https://x", "idempotency": {"header": "x y"}}}, "is no name of a header"),
        ({"json_output": {}, "response_on_success": {"headers": {"": "1"}}}, "is no name of a header"),
    ],
)
def test_a_request_that_could_not_be_sent_is_not_loaded(action, says):
    assert any(says in said for said in refusals(config({"name": "A", **action})))


def test_an_answers_headers_hold_no_line_break():
    assert refusals(config({"name": "A", "json_output": {}}, response={"headers": {"x": "1\nset-cookie: y"}}))
