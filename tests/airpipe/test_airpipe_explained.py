"""What `check` tells of an action: what a request must bring along, how long a try may take, what is tried again, how it is read."""

import pytest
from fermata.domain.airpipe.explaining import explained

from tests.support.airpipe import config, pack, read

A = {"name": "A", "json_output": "{}"}
URL = {"url": "https://x.test/a|params::id|"}
NEEDED = "    a request without a usable a|params::id| answers 400 before anything runs"


def _told(*actions):
    return list(explained(read(config(*actions))))


@pytest.mark.parametrize(
    ("actions", "needed"),
    [
        ([{"name": "B", "http": URL}], True),
        ([{"name": "B", "state": {"get": {"key": "a|params::id|"}}}], True),
        ([{"name": "B", "http": {"url": "https://x.test/a|params::id->default(1)|"}}], False),
        ([{"name": "B", "http": URL, "response_on_error": {"http_code": 418}}], False),
        ([{"name": "B", "http": URL}, {"name": "C", "run_when_failed": ["B"], "json_output": "{}"}], False),
        ([A, {"name": "B", "run_when_failed": ["A"], "http": URL}], False),
    ],
)
def test_what_a_request_must_bring_along(actions, needed):
    assert (NEEDED in _told(*actions)) is needed


@pytest.mark.parametrize(
    ("retry", "again"),
    [
        ({}, "no answer, 408, 429, 500, 502, 503, 504"),
        ({"on": ["4xx", "timeout"]}, "4xx, timeout"),
        ({"except": [503]}, "no answer, 408, 429, 500, 502, 503, 504, but not 503"),
    ],
)
def test_which_failures_are_tried_again(retry, again):
    told = _told({"name": "B", "http": {"url": "https://x.test"}, "retry": {"attempts": 2, "delay": 1000, **retry}})
    assert f"    tried again: {again}; any other failure ends the tries at once" in told


def test_how_long_a_try_and_a_pause_may_take():
    told = _told({"name": "B", "http": {"url": "https://x.test", "timeout": "7s"}}, {"name": "C", "delay": 150000})
    assert "    a try is given up when there is no connection within 3 s or no answer within 7 s" in told
    assert "  C: a pause of 2.5 min" in told


@pytest.mark.parametrize(
    ("source", "warning"),
    [
        (
            {"http": {"url": "https://x.test", "method": "POST"}},
            "http: may be sent again when a process dies, with the same Idempotency-Key",
        ),
        ({"http": {"url": "https://x.test", "body": "a|body::x|"}}, "http.body: where a|body::x| stands for nothing, no body is sent"),
        ({"state": {"set": {"key": "k", "value": 1, "ttl": "1h"}}}, "state.set.ttl: an expired key counts as absent"),
    ],
)
def test_a_reading_is_told_with_its_place(source, warning):
    assert any(line.startswith(f"warning: interfaces.try.actions.B.{warning}") for line in _told({"name": "B", **source}))


@pytest.mark.parametrize(
    "source",
    [
        {"http": {"url": "https://x.test", "body": "a|body::x->default(1)|"}},
        {"http": {"url": "https://x.test", "body": "say a|body::x->default(1)|"}},
        {"state": {"set": {"key": "k", "value": 1}}},
    ],
)
def test_what_can_be_read_in_one_way_only_is_not_warned_of(source):
    assert [line for line in _told({"name": "B", **source}) if line.startswith("warning: interfaces.try.actions.B.")] == []


def test_the_pack_says_what_its_callers_must_send():
    assert "    a request without a usable a|body::notify_url| answers 400 before anything runs" in list(explained(pack("jobs.yml")))
