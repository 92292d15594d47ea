"""The contract of HTTP_POLL, row by row: values in, value out."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure, HttpResult
from fermata.domain.http_rules import BadRequestFields
from fermata.domain.messages import PollDue
from fermata.domain.poll_admission import Due, Early, Stale, admit
from fermata.domain.poll_conclusion import Again, Looked, Over, Step, conclude
from fermata.domain.poll_reading import Accepted, PollError, SlowDown, condition_subject, read, verdict
from fermata.domain.poll_settings import PollSettings, poll_settings
from fermata.domain.poll_timing import interval_after, next_due, parse_retry_after
from fermata.domain.polling import PollDecision, PollSpec, PollState
from fermata.domain.questions import Evaluated, EvaluationFailed
from fermata.domain.status import TaskStatus

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(seconds=60)
SPEC = PollSpec("t", "w", "await_job", {"http_request": {"uri": "http://x"}}, NOW, {"submit": {"output": {"id": 7}}})
JSON = {"Content-Type": ("application/json",)}


def settings(**fields: Any) -> PollSettings:
    return poll_settings({"http_request": {"uri": "http://x", **fields}}, MINUTE)


def answered(status: int = 200, body: bytes = b'{"state":"RUNNING"}', **headers: str) -> HttpAnswer:
    given = {**JSON, **{name.replace("_", "-"): (value,) for name, value in headers.items()}}
    return HttpAnswer(status, "Reason", given, body)


def state(**fields: Any) -> PollState:
    return PollState("t", "w", fields.pop("due", NOW), **fields)


def step(chosen: PollSettings, before: PollState, result: HttpResult, judged: PollDecision | None = None, now: datetime = NOW) -> Step:
    reading = read(chosen, result)
    return conclude(chosen, SPEC, before, Looked(now, now, result, reading, judged if isinstance(reading, Accepted) else None))


# --- fields ---


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({"pollingInterval": 120}, 120),
        ({"pollingInterval": "90"}, 90),
        ({"pollingInterval": 5}, 60),
        ({}, 60),
        ({"pollingInterval": 60.5}, 60.5),
    ],
)
def test_the_interval_is_a_number_or_numeric_text_raised_to_the_floor(given: dict[str, Any], seconds: float) -> None:
    assert settings(**given).interval == timedelta(seconds=seconds)


def test_polling_fields_may_stand_beside_the_request() -> None:
    beside = poll_settings({"http_request": {"uri": "u"}, "maxPollCount": "7", "terminationCondition": "true"}, MINUTE)
    assert (beside.max_poll_count, beside.condition) == (7, "true")


def test_polling_fields_may_stand_flat_without_http_request() -> None:
    flat = poll_settings({"uri": "u", "pollingInterval": 70, "pollingStrategy": "LINEAR"}, MINUTE)
    assert (flat.interval.total_seconds(), flat.strategy) == (70, "LINEAR_BACKOFF")


@pytest.mark.parametrize(
    "wrong",
    [
        {"pollingInterval": "soon"},
        {"pollingInterval": -1},
        {"pollingInterval": True},
        {"pollingInterval": "NaN"},
        {"pollingInterval": [60]},
        {"maxPollCount": 0},
        {"maxPollCount": 1.5},
        {"pollingStrategy": "CUBIC"},
        {"pollErrorBudget": 3},
        {"pollErrorBudget": {"consecutive": "x"}},
        {"acceptedStatusCodes": ["2xy"]},
        {"acceptedStatusCodes": 99},
        {"terminationCondition": {"a": 1}},
    ],
)
def test_a_field_of_the_wrong_kind_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadRequestFields, match=next(iter(wrong))):
        settings(**wrong)


# --- admission ---


def test_a_poll_already_made_is_stale() -> None:
    assert admit(state(polls_made=3), PollDue("w", "t", 3), NOW) == Stale()


def test_a_closed_attempt_is_stale() -> None:
    assert admit(state(is_open=False), PollDue("w", "t", 1), NOW) == Stale()


def test_the_next_poll_is_admitted_when_due() -> None:
    assert admit(state(polls_made=3), PollDue("w", "t", 4), NOW) == Due(4)


def test_an_alarm_ahead_of_the_state_redoes_the_poll_that_was_never_stored() -> None:
    assert admit(state(polls_made=3), PollDue("w", "t", 5), NOW + MINUTE) == Due(4)


def test_an_early_poll_is_not_a_poll() -> None:
    due = NOW + timedelta(seconds=61)
    assert admit(state(polls_made=3, due=due), PollDue("w", "t", 4), NOW) == Early()


# --- reading ---


def test_an_accepted_answer_may_be_judged() -> None:
    reading = read(settings(), answered())
    assert isinstance(reading, Accepted)
    assert reading.response["body"] == {"state": "RUNNING"}


@pytest.mark.parametrize("status", [408, 425, 429, 503])
def test_a_vendor_that_asks_for_patience_is_no_error(status: int) -> None:
    assert isinstance(read(settings(), answered(status)), SlowDown)


@pytest.mark.parametrize("status", [301, 400, 404, 500, 502])
def test_another_status_is_a_poll_error_that_names_it(status: int) -> None:
    reading = read(settings(), answered(status))
    assert isinstance(reading, PollError)
    assert str(status) in reading.reason


def test_accepted_status_codes_replace_the_default() -> None:
    chosen = settings(acceptedStatusCodes=["404", "5xx"])
    assert isinstance(read(chosen, answered(404)), Accepted)
    assert isinstance(read(chosen, answered(503)), Accepted)
    assert isinstance(read(chosen, answered(200)), PollError)


@pytest.mark.parametrize("body", [b"{not json", b"\xff\xfe\x00", b"NaN", b'{"a":' * 5000])
def test_an_unreadable_body_is_a_poll_error(body: bytes) -> None:
    assert isinstance(read(settings(), answered(body=body)), PollError)


def test_plain_text_is_text_and_nothing_is_null() -> None:
    text = read(settings(), HttpAnswer(200, "OK", {"content-type": ("text/plain",)}, b"DONE"))
    assert isinstance(text, Accepted)
    assert text.response["body"] == "DONE"
    nothing = read(settings(), HttpAnswer(204, "No Content", {}, b""))
    assert isinstance(nothing, Accepted)
    assert nothing.response["body"] is None


def test_an_html_page_nobody_asked_for_is_a_poll_error() -> None:
    page = HttpAnswer(200, "OK", {"Content-Type": ("text/html; charset=utf-8",)}, b"<html>")
    refused = read(settings(), page)
    assert isinstance(refused, PollError)
    assert "HTML page" in refused.reason
    for asked in ({"accept": "text/html"}, {"accept": ["*/*"]}, {"headers": {"accept": "text/*"}}):
        wanted = read(settings(**asked), page)
        assert isinstance(wanted, Accepted)
        assert wanted.response["body"] == "<html>"


def test_no_answer_is_a_poll_error_with_its_reason() -> None:
    assert read(settings(), HttpFailure(FailureKind.RESET, "the connection was reset")) == PollError("the connection was reset")


def test_the_output_filter_replaces_the_body_that_is_kept_and_not_the_one_that_is_judged() -> None:
    reading = read(settings(outputFilter="{code: statusCode, state: body.state}"), answered())
    assert isinstance(reading, Accepted)
    assert reading.kept["body"] == {"code": 200, "state": "RUNNING"}
    assert reading.response["body"] == {"state": "RUNNING"}


def test_an_output_filter_that_does_not_fit_is_a_poll_error_and_keeps_no_body() -> None:
    reading = read(settings(outputFilter="sum(body)"), answered())
    assert isinstance(reading, PollError)
    assert reading.kept is not None
    assert reading.kept["body"] is None


def test_a_condition_sees_the_output_nested_and_flat_the_input_and_earlier_tasks() -> None:
    reading = read(settings(), answered())
    assert isinstance(reading, Accepted)
    subject = condition_subject(SPEC, reading.response)
    assert subject["output"]["response"]["body"] == subject["output"]["body"] == {"state": "RUNNING"}
    assert subject["output"]["statusCode"] == 200
    assert subject["input"] == SPEC.input
    assert subject["submit"]["output"]["id"] == 7


# --- verdict ---


@pytest.mark.parametrize(
    ("value", "decision"),
    [
        (True, "DONE"),
        (False, "AGAIN"),
        (1, "DONE"),
        (0.5, "DONE"),
        (0, "AGAIN"),
        (0.0, "AGAIN"),
        (-1, "FAILED"),
        (-0.5, "FAILED"),
        ("x", "DONE"),
        ("false", "DONE"),
        ("", "AGAIN"),
        (None, "AGAIN"),
        ([], "DONE"),
        ({}, "DONE"),
    ],
)
def test_numbers_are_judged_by_their_sign_and_the_rest_by_truthiness(value: Any, decision: str) -> None:
    assert verdict(Evaluated(value)) == decision


def test_a_condition_that_throws_is_a_poll_error() -> None:
    judged = verdict(EvaluationFailed("x is undefined"))
    assert judged == PollError("terminationCondition: x is undefined")


# --- intervals ---


@pytest.mark.parametrize(
    ("strategy", "seconds"),
    [("FIXED", [60, 60, 60, 60]), ("LINEAR_BACKOFF", [60, 120, 180, 240]), ("EXPONENTIAL_BACKOFF", [60, 120, 240, 480])],
)
def test_each_strategy_grows_its_own_way(strategy: str, seconds: list[int]) -> None:
    chosen = settings(pollingStrategy=strategy)
    assert [interval_after(chosen, made).total_seconds() for made in (1, 2, 3, 4)] == seconds


@pytest.mark.parametrize("strategy", ["LINEAR", "EXPONENTIAL"])
def test_growth_is_capped_at_an_hour_unless_the_definition_says_otherwise(strategy: str) -> None:
    assert interval_after(settings(pollingStrategy=strategy), 10**6) == timedelta(hours=1)
    assert interval_after(settings(pollingStrategy=strategy, maxPollingInterval=300), 10**6) == timedelta(seconds=300)
    assert interval_after(settings(pollingStrategy=strategy, pollingInterval=7200), 1) == timedelta(hours=2)


def test_a_cap_below_the_interval_is_the_interval() -> None:
    assert interval_after(settings(pollingInterval=120, maxPollingInterval=60, pollingStrategy="LINEAR"), 9) == timedelta(seconds=120)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("120", NOW + timedelta(seconds=120)),
        (" 0 ", NOW),
        ("Sun, 01 Mar 2026 12:05:00 GMT", NOW + timedelta(minutes=5)),
        ("tomorrow", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        ("٣", None),
        ("Sun, 99 Foo 2026 12:05:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_anything_else_is_ignored(text: str, moment: datetime | None) -> None:
    assert parse_retry_after(text, NOW) == moment


def test_the_later_of_interval_and_retry_after_counts() -> None:
    assert next_due(settings(), SPEC, 1, NOW, NOW + timedelta(seconds=10)) == NOW + MINUTE
    assert next_due(settings(), SPEC, 1, NOW, NOW + timedelta(seconds=300)) == NOW + timedelta(seconds=300)


def test_retry_after_is_bounded_by_the_longest_interval_and_by_the_deadline() -> None:
    far = NOW + timedelta(days=3)
    assert next_due(settings(), SPEC, 1, NOW, far) == NOW + timedelta(hours=1)
    assert next_due(settings(maxPollingInterval=120), SPEC, 1, NOW, far) == NOW + timedelta(seconds=120)
    assert next_due(settings(pollDeadlineSeconds=90), SPEC, 1, NOW, far) == NOW + timedelta(seconds=90)


def test_retry_after_counts_on_any_answer() -> None:
    for status in (200, 429, 500):
        after = step(settings(terminationCondition="x"), state(), answered(status, Retry_After="300"), PollDecision.AGAIN)
        assert isinstance(after, Again)
        assert after.after.due == NOW + timedelta(seconds=300)


# --- conclusion ---


def test_not_yet_counts_the_poll_and_sets_the_next_due() -> None:
    after = step(settings(terminationCondition="x"), state(polls_made=4, errors_in_a_row=2), answered(), PollDecision.AGAIN)
    assert isinstance(after, Again)
    assert (after.after.polls_made, after.after.errors_in_a_row, after.after.due) == (5, 0, NOW + MINUTE)
    assert after.after.recent[-1].decision is PollDecision.AGAIN


def test_without_a_condition_any_accepted_answer_is_the_end() -> None:
    over = step(settings(), state(), answered())
    assert isinstance(over, Over)
    assert (over.outcome.status, over.outcome.output["outcome"], over.outcome.poll_count) == (TaskStatus.COMPLETED, "DONE", 1)


def test_a_negative_verdict_fails_the_task() -> None:
    over = step(settings(terminationCondition="x"), state(), answered(), PollDecision.FAILED)
    assert isinstance(over, Over)
    assert over.outcome.status is TaskStatus.FAILED


def test_errors_in_a_row_end_the_task_with_the_last_one_as_reason() -> None:
    chosen, now = settings(terminationCondition="x"), state()
    for _ in range(2):
        again = step(chosen, now, answered(500))
        assert isinstance(again, Again)
        now = again.after
    over = step(chosen, now, HttpFailure(FailureKind.TIMEOUT, "no answer within 3000 ms"))
    assert isinstance(over, Over)
    assert over.outcome.reason == "3 polls in a row failed; the last one: no answer within 3000 ms"


def test_a_slow_down_interrupts_a_row_of_errors() -> None:
    again = step(settings(), state(errors_in_a_row=2), answered(429))
    assert isinstance(again, Again)
    assert again.after.errors_in_a_row == 0


def test_the_error_budget_is_configurable() -> None:
    assert isinstance(step(settings(pollErrorBudget={"consecutive": 1}), state(), answered(500)), Over)


def test_every_request_counts_towards_max_poll_count() -> None:
    over = step(settings(maxPollCount=5, terminationCondition="x"), state(polls_made=4), answered(429))
    assert isinstance(over, Over)
    assert (over.outcome.status, over.outcome.output["outcome"]) == (TaskStatus.FAILED, "EXHAUSTED")
    assert "5 polls" in (over.outcome.reason or "")


def test_a_met_condition_on_the_last_poll_wins() -> None:
    over = step(settings(maxPollCount=5, terminationCondition="x"), state(polls_made=4), answered(), PollDecision.DONE)
    assert isinstance(over, Over)
    assert over.outcome.status is TaskStatus.COMPLETED


def test_a_last_look_is_taken_at_the_deadline_and_not_after_it() -> None:
    chosen = settings(pollDeadlineSeconds=90, terminationCondition="x")
    again = step(chosen, state(), answered(), PollDecision.AGAIN, now=NOW + MINUTE)
    assert isinstance(again, Again)
    assert again.after.due == NOW + timedelta(seconds=90)
    over = step(chosen, again.after, answered(), PollDecision.AGAIN, now=NOW + timedelta(seconds=91))
    assert isinstance(over, Over)
    assert "pollDeadlineSeconds is 90" in (over.outcome.reason or "")


def test_the_last_response_stays_in_the_output_when_exhausted() -> None:
    over = step(settings(maxPollCount=1, terminationCondition="x"), state(), answered(), PollDecision.AGAIN)
    assert isinstance(over, Over)
    assert over.outcome.output["response"]["body"] == {"state": "RUNNING"}
