"""The search grammar: what people write is read, what cannot be honoured is refused by name."""

from datetime import UTC, datetime

import pytest
from fermata.api.http import Request
from fermata.api.search import Asked, asked, read_query
from fermata.domain.errors import InvalidRequest


@pytest.mark.parametrize("query", ["", "  "])
def test_no_clause_asks_for_everything(query: str) -> None:
    assert read_query(query) == Asked()


@pytest.mark.parametrize(
    ("query", "any_of"),
    [
        ("workflowType=job", {"workflowType": ("job",)}),
        ("workflowType = 'my job'", {"workflowType": ("my job",)}),
        ('workflowType="my-job.v2"', {"workflowType": ("my-job.v2",)}),
        ("workflowType IN (a, 'b',\"c\")", {"workflowType": ("a", "b", "c")}),
        ("workflowType in (a,a)", {"workflowType": ("a",)}),
        ("status='FAILED'", {"status": ("FAILED",)}),
        ("status IN (FAILED,RUNNING)", {"status": ("FAILED", "RUNNING")}),
        ("workflowId='w' AND correlationId IN (c)", {"workflowId": ("w",), "correlationId": ("c",)}),
        ("correlationId='this AND that' AND status=FAILED", {"correlationId": ("this AND that",), "status": ("FAILED",)}),
    ],
)
def test_values_are_read_however_people_quote_and_space_them(query: str, any_of: dict[str, tuple[str, ...]]) -> None:
    assert read_query(query) == Asked(any_of)


def test_a_time_window_leaves_its_bounds_out() -> None:
    found = read_query("workflowType IN (job) AND status IN (RUNNING) AND startTime>999 AND startTime < 2501")
    assert found.started_after == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert found.started_before == datetime(1970, 1, 1, 0, 0, 2, 500_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("hello", "hello"),
        ("status", "status"),
        ("status=", "status="),
        ("status=NOPE", "NOPE"),
        ("status='RUNNING' OR status='FAILED'", "OR status"),
        ("status='RUNNING' AND", "status='RUNNING' AND"),
        ("(status=RUNNING)", "status=RUNNING"),
        ("status != RUNNING", "status != RUNNING"),
        ("status=RUNNING AND status=FAILED", "status twice"),
        ("workflowType='a*'", "workflowType='a*'"),
        ("endTime>5", "endTime>5"),
        ("startTime=5", "startTime=5"),
        ("startTime>soon", "soon"),
        ("startTime>999999999999999", "epoch milliseconds"),
        ("modifiedTime>5", "modifiedTime>5"),
        ("workflowType>5", "workflowType>5"),
        ("workflowType IN (a", "workflowType IN (a"),
        ("status=RUNNING AND AND status=FAILED", "AND status=FAILED"),
        ("x" * 100_000, "xxx"),
        ("(" * 100_000, "((("),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_name(query: str, names: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_query(query)
    assert names in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    "query", [{"size": ["5001"]}, {"size": ["-1"]}, {"start": ["-1"]}, {"size": ["x"]}, {"freeText": ["job"]}, {"sort": ["status:ASC"]}]
)
def test_parameters_that_cannot_be_honoured_are_refused(query: dict[str, list[str]]) -> None:
    with pytest.raises(InvalidRequest):
        asked(Request(query=query))


def test_what_the_sdk_sends_by_default_asks_for_the_newest_hundred() -> None:
    sent = {"queryId": [""], "start": ["0"], "size": ["100"], "freeText": ["*"], "query": [""], "sort": ["startTime:DESC"]}
    assert asked(Request(query=sent)) == Asked(start=0, size=100)
