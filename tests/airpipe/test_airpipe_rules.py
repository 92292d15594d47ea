"""Gates, tries and waits, statuses and the envelope, state, requests, routes: rule by rule."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from fermata.domain.airpipe.actions import (
    Action,
    Codes,
    Deciding,
    Gate,
    HttpSource,
    OutputSource,
    Response,
    StateOperation,
    StateSource,
    Visibility,
    When,
)
from fermata.domain.airpipe.asserting import Assert, Subject
from fermata.domain.airpipe.asserting import Test as Check
from fermata.domain.airpipe.entries import answered, failed, gated, judged, skipped, unreached
from fermata.domain.airpipe.envelope import answer, shown
from fermata.domain.airpipe.gates import Fail, Open, Skip, passage
from fermata.domain.airpipe.interpolation import Unresolved
from fermata.domain.airpipe.records import StateRecord
from fermata.domain.airpipe.requesting import data_of, request_of, tried
from fermata.domain.airpipe.retrying import (
    Retry,
    jittered_wait,
    longest_wait,
    retries_failure,
    retries_status,
    wait_after,
    waits_in_process,
)
from fermata.domain.airpipe.routing import Endpoint, Matched, NoRoute, WrongMethod, routed
from fermata.domain.airpipe.state import NotDone, filled, memory_of, operated, record_key
from fermata.domain.airpipe.transforms import Transform, TransformFailed, transformed
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure

from tests.support.airpipe import sight

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OK, BAD, SKIP = {"result": "succeeded"}, {"result": "failed", "httpCode": 502}, {"result": "skipped"}


@pytest.mark.parametrize(
    ("when", "became", "fields", "expected"),
    [
        (When.SUCCEEDED, [OK, OK], {}, Open()),
        (When.SUCCEEDED, [OK, BAD], {}, Fail("action 'B' did not succeed", 502)),
        (When.SUCCEEDED, [OK, BAD], {"previous": frozenset({"B"})}, Fail("previous action 'B' did not succeed", 502)),
        (When.SUCCEEDED, [OK, BAD], {"http_code": 418}, Fail("action 'B' did not succeed", 418)),
        (When.SUCCEEDED, [OK, SKIP], {}, Skip()),
        (When.SUCCEEDED, [OK, BAD], {"at_least": 1}, Open()),
        (When.SUCCEEDED, [SKIP, BAD], {"at_least": 1}, Fail("action 'B' did not succeed", 502)),
        (When.FAILED, [BAD, BAD], {}, Open()),
        (When.FAILED, [BAD, OK], {}, Skip()),
        (When.FAILED, [BAD, SKIP], {}, Skip()),
        (When.FAILED, [BAD, OK], {"at_least": 1}, Open()),
        (When.FINISHED, [BAD, OK], {}, Open()),
        (When.FINISHED, [SKIP, OK], {}, Open()),
    ],
)
def test_a_gate(when, became, fields, expected):
    gate = Gate(when, ("A", "B"), **fields)
    assert passage((gate,), dict(zip("AB", became, strict=True))) == expected


def test_a_failing_gate_wins_over_a_skipping_one():
    gates = (Gate(When.FAILED, ("A",)), Gate(When.SUCCEEDED, ("B",)))
    assert isinstance(passage(gates, {"A": OK, "B": BAD}), Fail)


@pytest.mark.parametrize(
    ("retry", "again"),
    [
        (Retry(), {408: True, 429: True, 500: True, 502: True, 503: True, 504: True, 400: False, 401: False, 404: False, 501: False}),
        (Retry(on=(404, "5xx")), {404: True, 501: True, 429: False}),
        (Retry(never_on=("503",)), {503: False, 502: True}),
        (Retry(on=("any",), never_on=(401,)), {401: False, 418: True}),
    ],
)
def test_which_statuses_are_tried_again(retry, again):
    assert {code: retries_status(retry, code) for code in again} == again


def test_which_failures_are_tried_again():
    assert retries_failure(Retry(), "timeout")
    assert not retries_failure(Retry(on=("connect",)), "timeout")
    assert retries_failure(Retry(on=("timeout", "5xx")), "timeout")
    assert not retries_failure(Retry(never_on=("any",)), "connect")


SECOND = timedelta(seconds=1)


def test_waits_double_up_to_their_limit():
    retry = Retry(10, SECOND, doubling=True, max_delay=5 * SECOND)
    assert [wait_after(retry, made) // SECOND for made in (1, 2, 3, 4, 5)] == [1, 2, 4, 5, 5]
    assert wait_after(Retry(10, SECOND), 7) == SECOND


def test_attempts_count_every_try():
    assert longest_wait(Retry(6, 30 * SECOND)) == 150 * SECOND
    assert longest_wait(Retry(3, SECOND / 5, doubling=True)) == SECOND * 0.6
    assert longest_wait(Retry(1, SECOND)) == timedelta(0)


def test_short_waits_are_in_process_until_their_sum_is_too_long():
    retry = Retry(9, 2 * SECOND)
    assert [waits_in_process(retry, made) for made in (1, 2, 3)] == [True, True, False]


def test_only_short_waits_have_jitter_unless_it_is_asked_for():
    assert jittered_wait(Retry(9, SECOND), 1, 0.5) == SECOND / 2
    assert jittered_wait(Retry(9, 30 * SECOND), 1, 0.5) == 30 * SECOND
    assert jittered_wait(Retry(9, 30 * SECOND, full_jitter=True), 1, 0.5) == 15 * SECOND
    assert jittered_wait(Retry(9, SECOND, full_jitter=False), 1, 0.5) == SECOND


def _action(name="A", **fields):
    return Action(name, OutputSource({}), **fields)


CHECKS = Assert((Check(Subject("x"), {"is_equal_to": 1}),), code_on_error=504, error_message="not in time", success_message="there")


def test_the_entry_of_data_that_passes_and_of_data_that_does_not():
    assert judged(_action(asserts=CHECKS), {"x": 1}, sight()) == {"result": "succeeded", "data": {"x": 1}, "message": "there"}
    assert judged(_action(), {"x": 1}, sight()) == {"result": "succeeded", "data": {"x": 1}}
    assert judged(_action(asserts=CHECKS), {"x": 2}, sight()) == {
        "result": "failed",
        "data": {"x": 2},
        "httpCode": 504,
        "error": "not in time",
        "errors": ["x::is_equal_to: expected 1, got 2"],
    }


def test_tests_see_the_data_before_it_is_reshaped():
    action = _action(asserts=CHECKS, transforms=(Transform("remove_attributes", ["x"]),))
    assert judged(action, {"x": 1, "y": 2}, sight())["data"] == {"y": 2}


def test_the_authors_code_and_words_hold_for_a_failure_before_the_tests():
    assert failed(_action(asserts=CHECKS), "no answer") == {
        "result": "failed",
        "data": None,
        "httpCode": 504,
        "error": "not in time",
        "errors": ["no answer"],
    }
    assert failed(_action(), "no answer")["httpCode"] == 500
    assert failed(_action(), "cannot resolve", by_caller=True)["httpCode"] == 400


@pytest.mark.parametrize(
    ("entries", "codes", "code"),
    [
        ([OK, OK], {}, 200),
        ([BAD, OK], {}, 200),  # the last action decides
        ([OK, BAD], {}, 502),
        ([OK, {"result": "failed"}], {}, 500),
        ([OK, gated("x", 502)], {}, 502),
        ([OK, skipped()], {}, 200),
        ([OK, {**OK, "httpCode": 201}], {}, 201),
        ([BAD, OK], {"on_error": 503}, 503),
        ([OK, OK], {"on_error": 503}, 200),
        ([BAD, OK], {"inherited": ("A",)}, 502),
        ([OK, BAD], {"inherited": ("A",)}, 502),  # the last action's, as ever
        ([BAD, OK], {"inherited": ("A",), "on_error": 503}, 502),
        ([OK, gated("x", None)], {"inherited": ("A",), "on_error": 503}, 503),
        ([gated("x", None), BAD], {"inherited": ("A", "B")}, 500),  # the first of those named
        ([OK, {"result": "failed"}], {"fallback": 507}, 507),
        ([OK, BAD], {"fallback": 507}, 502),  # it names its own
        ([OK, OK], {"fallback": 507}, 200),
        ([BAD, OK], {"deciding": Deciding.LAST_FAILED}, 502),
        ([BAD, gated("x", 409)], {"deciding": Deciding.LAST_FAILED}, 409),
        ([BAD, gated("x", 409)], {"deciding": Deciding.ANY}, 502),
        ([OK, {**OK, "httpCode": 201}], {"deciding": Deciding.ANY}, 201),
    ],
)
def test_the_status_of_the_envelope(entries, codes, code):
    actions = [_action("A"), _action("B")]
    assert answer(actions, dict(zip("AB", entries, strict=True)), Codes(**codes), {}).http_code == code


@pytest.mark.parametrize(
    ("entry", "checked", "code", "beside"),
    [
        (OK, {"result": "failed", "httpCode": 404, "error": "none"}, 404, {"error": "none"}),
        (OK, {"result": "succeeded", "httpCode": 201, "message": "found"}, 201, {"message": "found"}),
        (BAD, {"result": "failed", "httpCode": 404, "error": "none"}, 502, {}),  # not asked: the action failed already
        ({**OK, "respond": {"httpCode": 202, "headers": {}, "body": None}}, {"httpCode": 404, "error": "none"}, 202, {}),
    ],
)
def test_an_interfaces_own_assert_has_the_last_word_when_nothing_failed(entry, checked, code, beside):
    sent = answer([_action("A")], {"A": entry}, Codes(), {}, lambda: checked)
    told = json.loads(sent.body)
    del told["data"]
    assert (sent.http_code, told) == (code, beside)


def test_the_envelope_names_every_action_that_was_reached():
    entries = {"A": {**OK, "data": 1, "timeMs": 3}, "B": gated("action 'A' did not succeed", None), "C": unreached()}
    sent = answer([_action("A"), _action("B"), _action("C")], entries, Codes(), {"x-own": "1"})
    assert json.loads(sent.body) == {
        "data": {"A": {"data": 1, "time.ms": 3}, "B": {"data": None, "error": "action 'A' did not succeed", "time.ms": 0}}
    }
    assert sent.headers == {"content-type": "application/json", "x-own": "1"}


@pytest.mark.parametrize(
    ("visible", "entry", "seen"),
    [
        (Visibility(), {**OK, "data": 1, "message": "success"}, {"data": 1, "message": "success"}),
        (Visibility(data_on_success=False), {**OK, "data": 1}, {}),
        (Visibility(data_on_success=False), {**BAD, "data": 1, "error": "e"}, {"data": 1, "error": "e"}),
        (Visibility(data_on_error=False), {**BAD, "data": 1, "error": "e"}, {"error": "e"}),
        (Visibility(data_on_empty=False), {**OK, "data": []}, {}),
        (Visibility(errors=False), {**BAD, "data": 1, "error": "e", "errors": ["x"]}, {"data": 1}),
        (Visibility(action=False), {**BAD, "data": 1, "error": "e"}, {}),
    ],
)
def test_what_the_caller_sees_of_an_action(visible, entry, seen):
    assert shown(visible, entry) == {**seen, "time.ms": 0}


def test_an_action_that_answers_ends_the_interface_with_its_text():
    action = _action(on_success=Response(201, {"x-id": "a|A::id|"}, '{"id": "a|A::id|"}'))
    entry = answered(action, {**OK, "data": {"id": 'j"1'}}, sight())
    sent = answer([action], {"A": entry}, Codes(), {})
    assert (sent.http_code, sent.headers, sent.body) == (201, {"x-id": 'j"1'}, '{"id": "j\\"1"}')


def test_a_response_without_a_body_is_the_envelope_with_its_code():
    action = _action(on_error=Response(409))
    sent = answer([action], {"A": answered(action, failed(action, "no"), sight())}, Codes(), {})
    assert (sent.http_code, json.loads(sent.body)["data"]["A"]["error"]) == (409, "no")


def test_a_response_that_cannot_be_made_fails_the_action():
    action = _action(on_success=Response(200, {"x": "a|params::id|"}))
    entry = answered(action, {**OK, "data": 1}, sight(params={"id": "a\r\nset-cookie: b"}))
    assert (entry["result"], entry["httpCode"], "respond" in entry) == ("failed", 400, False)


KEY = StateSource(StateOperation.SET, "n", "k", "v", ttl=timedelta(hours=1))


def _state(operation, **fields):
    return StateSource(StateOperation(operation), "n", "k", **fields)


def _record(value, version=1, expires=None, stamp="old"):
    return StateRecord("n", "k", value, version, stamp, expires)


@pytest.mark.parametrize(
    ("source", "stored", "data", "left"),
    [
        (_state("set", value="v"), None, {"version": 1}, ("v", 1)),
        (_state("set", value="v"), _record("v"), {"version": 2}, ("v", 2)),  # an equal value still counts
        (_state("set", value="v"), _record("v", 5, NOW), {"version": 1}, ("v", 1)),  # expired counts as absent
        (_state("set", value="v", expected_version=0), None, {"version": 1}, ("v", 1)),
        (_state("set", value="v", expected_version=1), _record("u"), {"version": 2}, ("v", 2)),
        (_state("get"), None, {"value": None, "version": 0, "found": False}, None),
        (_state("get", default=7), _record("x", 3, NOW), {"value": 7, "version": 0, "found": False}, None),
        (_state("get"), _record("x", 3), {"value": "x", "version": 3, "found": True}, None),
        (_state("advance", value=3), _record(7), {"version": 2, "value": 7}, (7, 2)),
        (_state("advance", value=10), _record(7), {"version": 2, "value": 10}, (10, 2)),
        (_state("advance", value="10"), _record("7"), {"version": 2, "value": "7"}, ("7", 2)),
        (_state("advance", value=1), None, {"version": 1, "value": 1}, (1, 1)),
        (_state("seen", id="x"), None, {"was_new": True}, (True, 1)),
        (_state("seen", id="x"), _record("seen"), {"was_new": False}, None),
        (_state("delete"), None, {"deleted": False}, None),
        (_state("delete"), _record("x", 3, NOW), {"deleted": False}, None),
        (_state("delete"), _record("x", 3), {"deleted": True}, (None, 1)),
    ],
)
def test_a_state_operation(source, stored, data, left):
    done = operated(source, stored, NOW, "new")
    assert (done.data, done.write and (done.write.value, done.write.version)) == (data, left)


def test_ages():
    written = operated(KEY, _record("x", 3, NOW + SECOND), NOW, "new").write
    assert written is not None
    assert (written.expires_at, written.version) == (NOW + timedelta(hours=1), 4)


def test_what_was_deleted_counts_as_absent():
    gone = operated(_state("delete"), _record("x", 3), NOW, "gone").write
    assert operated(_state("get"), gone, NOW, "s").data["found"] is False
    assert operated(_state("set", value="v"), gone, NOW, "s").data == {"version": 1}
    assert operated(_state("delete"), gone, NOW, "s").data == {"deleted": False}


@pytest.mark.parametrize("source", [KEY, _state("advance", value=3), _state("seen", id="x"), _state("delete")])
@pytest.mark.parametrize("later", [timedelta(0), timedelta(days=2)])
def test_a_repeat_writes_nothing_and_says_the_same(source, later):
    stored = _record(2, 4) if source.operation is not StateOperation.SEEN else None
    first = operated(source, stored, NOW, "stamp")
    again = operated(source, first.write, NOW + later, "stamp")
    assert (again.data, again.write) == (first.data, None)
    assert first.write is not None
    assert memory_of(first.write, NOW).value == first.data


def test_a_version_that_is_not_there_is_refused():
    with pytest.raises(NotDone, match="at version 1, not 2"):
        operated(_state("set", value="v", expected_version=2), _record("x"), NOW, "s")


def test_a_number_and_its_text_are_the_same_key():
    both = [filled(StateSource(StateOperation.GET, "n", "a|body::k|"), sight(body={"k": key})).key for key in (1, "1")]
    assert both == ["1", "1"]


def test_no_key_spells_what_was_seen_under_another():
    keys = [_state("seen", id="b"), StateSource(StateOperation.SET, "n", '["k","b"]'), _state("set"), _state("seen", id="")]
    assert len({record_key(source) for source in keys}) == len(keys)


@pytest.mark.parametrize("fields", [{"key": ""}, {"key": "k" * 1000}, {"key": "\ud800"}, {"namespace": ""}, {"value": "v" * 300_000}])
def test_a_key_or_a_value_that_cannot_be_kept_is_refused(fields):
    source = StateSource(
        StateOperation.SET, "a|params::namespace->default(n)|", "a|params::key->default(k)|", "a|params::value->default(v)|"
    )
    with pytest.raises(NotDone):
        filled(source, sight(params=fields))


@pytest.mark.parametrize(
    ("transform", "data", "made"),
    [
        (Transform("extract_value", "a.b[0]"), {"a": {"b": [7]}}, 7),
        (Transform("extract_value", "x"), {}, None),
        (Transform("extract_with_jq", "[.[] | .n]"), [{"n": 1}, {"n": 2}], [1, 2]),
        (Transform("add_attribute", {"name": "id", "value": "a|params::id|"}), {"a": 1}, {"a": 1, "id": "5"}),
        (Transform("keep_attributes", ["a"]), {"a": 1, "b": 2}, {"a": 1}),
        (Transform("keep_attributes", ["a"]), [{"a": 1, "b": 2}], [{"a": 1}]),
        (Transform("remove_attributes", ["a"]), {"a": 1, "b": 2}, {"b": 2}),
    ],
)
def test_a_transform(transform, data, made):
    assert transformed([transform], data, sight(params={"id": "5"})) == made


def test_a_transform_of_the_wrong_shape_fails_the_action():
    with pytest.raises(TransformFailed):
        transformed([Transform("keep_attributes", ["a"])], 5, sight())
    assert judged(_action(transforms=(Transform("keep_attributes", ["a"]),)), 5, sight())["result"] == "failed"


@pytest.mark.parametrize(
    ("fields", "body", "content_type"),
    [
        ({"body": "a|body|"}, b'{"prompt":"cat"}', "application/json"),
        ({"body": "a|body::missing|"}, None, None),
        ({"body": {"p": "a|body::prompt|"}}, b'{"p":"cat"}', "application/json"),
        ({"body": '{"p": "a|body::prompt|"}'}, b'{"p": "cat"}', "application/json"),
        ({"body": "p=a|body::prompt|"}, b"p=cat", None),
        ({"body": "a|body|", "headers": {"Content-Type": "text/x"}}, b'{"prompt":"cat"}', "text/x"),
        ({}, None, None),
    ],
)
def test_the_body_of_a_request(fields, body, content_type):
    request = request_of(HttpSource("https://x.test", "POST", **fields), sight(body={"prompt": "cat"}), "key")
    types = [value for name, value in request.headers.items() if name.lower() == "content-type"]
    assert (request.body, types) == (body, [content_type] if content_type else [])


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("a|params::base|/jobs/a|params::id|", "https://x.test/jobs/a%20b%22"),
        ("https://x.test/?q=a|params::id|&r=%20", "https://x.test/?q=a%20b%22&r=%20"),
    ],
)
def test_an_address_keeps_its_parts(url, sent):
    params = {"base": "https://x.test", "id": 'a b"'}
    assert request_of(HttpSource(url), sight(params=params), "key").uri == sent


@pytest.mark.parametrize("source", [HttpSource("https://x/a|params::id|"), HttpSource("https://x", headers={"x": "a|params::id|"})])
def test_a_line_break_is_refused_in_addresses_and_headers(source):
    with pytest.raises(Unresolved, match="line break"):
        request_of(source, sight(params={"id": "a\r\nx: y"}), "key")


def test_unsafe_methods_carry_a_key():
    assert request_of(HttpSource("https://x", "POST"), sight(), "key").headers["Idempotency-Key"] == "key"
    assert "Idempotency-Key" not in request_of(HttpSource("https://x"), sight(), "key").headers
    own = HttpSource("https://x", "PUT", idempotency_key="a|params::id|", idempotency_header="X-Once")
    assert request_of(own, sight(params={"id": "5"}), "key").headers["X-Once"] == "5"


@pytest.mark.parametrize(("body", "read"), [(b'{"a":1}', {"a": 1}), (b"", None), (b"hello", "hello"), (b"5", 5), (b"\xff", "�")])
def test_what_an_answer_is_as_data(body, read):
    found = data_of(HttpAnswer(200, "OK", {"X-A": ("1", "2"), "ETag": ("e",)}, body))
    assert found == {"status": 200, "headers": {"x-a": "1, 2", "etag": "e"}, "body": read}


def _answer(status, body=b"{}", **headers):
    return HttpAnswer(status, "Reason", {name.replace("_", "-"): (value,) for name, value in headers.items()}, body)


@pytest.mark.parametrize(
    ("result", "outcome", "again", "retry_after"),
    [
        (_answer(200, b'{"x": 1}'), "succeeded", False, None),
        (_answer(304, b'{"x": 1}'), "succeeded", False, None),
        (_answer(200, b'{"x": 2}', retry_after="9"), "failed", True, None),  # its wish is ignored: the status was fine
        (_answer(429, retry_after="9"), "failed", True, "9"),
        (_answer(503), "failed", True, None),
        (_answer(401, b'{"x": 1}'), "failed", False, None),  # no test can rescue a wrong status
        (_answer(404), "failed", False, None),
        (HttpFailure(FailureKind.TIMEOUT, "too slow"), "failed", True, None),
        (HttpFailure(FailureKind.CONNECT, "refused"), "failed", True, None),
        (HttpFailure(FailureKind.FORBIDDEN_ADDRESS, "inside"), "failed", False, None),
        (HttpFailure(FailureKind.BAD_URI, "no address"), "failed", False, None),
    ],
)
def test_what_an_exchange_is_to_an_action(result, outcome, again, retry_after):
    checks = Assert((Check(Subject("body.x"), {"is_equal_to": 1}),))
    source = HttpSource("https://x")
    found = tried(Action("A", source, asserts=checks, retry=Retry(3)), source, sight(), result)
    assert (found.entry["result"], found.again, found.retry_after) == (outcome, again, retry_after)


def test_the_data_of_a_wrong_status_stays_readable():
    source = HttpSource("https://x")
    assert tried(Action("A", source), source, sight(), _answer(404, b'{"why": 1}')).entry["data"]["body"] == {"why": 1}


ROUTES = [Endpoint("GET", "/a/:id", "get-one"), Endpoint("POST", "/a/:id", "post-one"), Endpoint("GET", "/a/new", "new")]


@pytest.mark.parametrize(
    ("method", "path", "found"),
    [
        ("GET", "/a/5", Matched("get-one", {"id": "5"})),
        ("get", "/a/x%2Fy/", Matched("get-one", {"id": "x/y"})),
        ("GET", "/a/new", Matched("new", {})),
        ("POST", "/a/new", Matched("post-one", {"id": "new"})),
        ("PUT", "/a/5", WrongMethod(("GET", "POST"))),
        ("GET", "/b", NoRoute()),
        ("GET", "/a/5/6", NoRoute()),
        ("GET", "/a/", NoRoute()),
    ],
)
def test_a_route(method, path, found):
    assert routed(ROUTES, method, path) == found
