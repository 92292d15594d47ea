"""The search language: what people and clients write is read, what cannot be is refused with its place."""

import contextlib
import string

import pytest
from fermata.domain.errors import InvalidRequest
from fermata.domain.searching.conditions import EVERYTHING, Both, Either, IsNull, Not, OneOf, Order, StartsWith, Within
from fermata.domain.searching.fields import TASK_FIELDS, WORKFLOW_FIELDS
from fermata.wire.search_facts import run_facts, task_facts
from fermata.wire.search_query import condition_from_text, order_from_text
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.builders import task, workflow

FIELD = WORKFLOW_FIELDS
TYPE, STATUS, START = FIELD["workflowType"], FIELD["status"], FIELD["startTime"]
FAILED, JOB = OneOf(STATUS, ("FAILED",)), OneOf(TYPE, ("job",))


def read(text, fields=WORKFLOW_FIELDS):
    return condition_from_text(text, fields)


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_asks_for_everything(text):
    assert read(text) == EVERYTHING


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("workflowType=job", JOB),
        ("workflowType = 'job'", JOB),
        ('workflowType="job"', JOB),
        ("workflowType = 'it is (a) \"job\"'", OneOf(TYPE, ('it is (a) "job"',))),
        ("workflowType='this AND that'", OneOf(TYPE, ("this AND that",))),
        ("workflowType=my-job.v2:x/y*", OneOf(TYPE, ("my-job.v2:x/y*",))),
        ("workflowType IN (job)", JOB),
        ("workflowType IN(a, 'b',\"c\" , my job,a)", OneOf(TYPE, ("a", "b", "c", "my job"))),
        ("status in (FAILED)", FAILED),
        ("status=failed", FAILED),
        ("status != FAILED", Not(FAILED)),
        ("status!='FAILED'", Not(FAILED)),
        ("parentWorkflowId=''", OneOf(FIELD["parentWorkflowId"], ("",))),
        ("startTime>999", Within(START, 1000, None)),
        ("startTime < 2501", Within(START, None, 2500)),
        ("startTime > '999'", Within(START, 1000, None)),
        ("startTime=5", OneOf(START, (5,))),
        ("startTime IN (5, 6)", OneOf(START, (5, 6))),
        ("startTime between 5 and 7", Within(START, 5, 7)),
        ("startTime BETWEEN 5 AND 7 AND status=FAILED", Both(Within(START, 5, 7), FAILED)),
        ("correlationId IS null", IsNull(FIELD["correlationId"])),
        ("correlationId is not NULL", Not(IsNull(FIELD["correlationId"]))),
        ("workflowType STARTS_WITH 'jo'", StartsWith(TYPE, "jo")),
        ("modifiedTime>5", Within(FIELD["updateTime"], 6, None)),
        ("workflowName=job", JOB),
        ("status=FAILED AND workflowType=job", Both(FAILED, JOB)),
        ("status=FAILED or workflowType=job", Either(FAILED, JOB)),
        ("(status=FAILED)", FAILED),
        ("( ( status=FAILED )AND(workflowType=job) )", Both(FAILED, JOB)),
    ],
)
def test_the_language_is_read_however_people_quote_and_space_it(text, condition):
    assert read(text) == condition


def test_and_and_or_have_no_precedence_and_join_from_the_right():
    assert read("status=FAILED AND workflowType=job OR startTime=5") == Both(FAILED, Either(JOB, OneOf(START, (5,))))
    assert read("(status=FAILED AND workflowType=job) OR startTime=5") == Either(Both(FAILED, JOB), OneOf(START, (5,)))


def test_what_the_command_line_and_the_ui_send_is_read():
    sent = "workflowType IN (job) AND status IN (FAILED) AND startTime>1 AND startTime<9 AND workflowId='w' AND correlationId IN (c)"
    assert read(sent) != EVERYTHING
    tasks = "taskDefName='d' AND taskId='t' AND taskType IN (HTTP) AND workflowId='w' AND referenceTaskName='r' AND modifiedTime>5"
    assert read(tasks, TASK_FIELDS) != EVERYTHING


@pytest.mark.parametrize(
    ("text", "place", "names"),
    [
        ("hello", 1, "workflowType"),
        ("nope = 5", 1, "workflowType"),
        ("status", 7, "="),
        ("status=", 8, "value"),
        ("status=NOPE", 8, "TERMINATED"),
        ("status=RUNNING AND", 19, "clause"),
        ("status=RUNNING AND AND status=FAILED", 20, "workflowType"),
        ("status=RUNNING status=FAILED", 16, "AND, OR"),
        ("workflowType = my job", 19, "quotes"),
        ("(status=RUNNING", 16, "closing"),
        ("status=RUNNING)", 15, "AND, OR"),
        ("workflowType IN a", 17, "brackets"),
        ("workflowType IN ()", 18, "value"),
        ("workflowType IN (a", 19, "closing"),
        ("workflowType IN (a,)", 20, "value"),
        ("workflowType='a", 14, "value"),
        ("workflowType>5", 14, "text"),
        ("workflowType BETWEEN 1 AND 2", 22, "text"),
        ("startTime>soon", 11, "whole number"),
        ("startTime>=5", 10, "BETWEEN"),
        ("startTime>99999999999999999999", 11, "18 digits"),
        ("startTime BETWEEN 5", 20, "upper bound"),
        ("startTime STARTS_WITH 5", 23, "STARTS_WITH"),
        ("correlationId IS full", 18, "NULL"),
        ("status=RUNNING; DROP TABLE runs", 8, "one of"),
        ("status='RUNNING' UNION SELECT 1", 18, "AND, OR"),
        ("status='a' -- ", 8, "one of"),
        ("(" * 21 + "status=FAILED" + ")" * 21, 22, "20 brackets"),
        (" AND ".join(["status=FAILED"] * 101), 1801, "100 clauses"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text, place, names):
    with pytest.raises(InvalidRequest) as caught:
        read(text)
    assert f"at character {place}," in str(caught.value)
    assert names in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("text", ["x" * 8001, "(" * 8001])
def test_an_endless_query_is_refused(text):
    with pytest.raises(InvalidRequest, match="8000"):
        read(text)


LANGUAGE = ["status", "startTime", "workflowType", "=", "!=", ">", "<", "IN", "(", ")", ",", "'", '"', "AND", "OR", "IS", "NULL", "NOT"]
LANGUAGE += ["BETWEEN", "STARTS_WITH", "5", "FAILED", "*", " ", "  "]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(LANGUAGE) | st.text(string.printable, max_size=3), max_size=20).map("".join))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(InvalidRequest):
        assert read(text) is not None


def test_an_order_is_read_and_rises_where_nothing_is_said():
    status, end = FIELD["status"], FIELD["endTime"]
    assert order_from_text("status:ASC|endTime:desc | workflowType", FIELD) == (Order(status), Order(end, descending=True), Order(TYPE))
    assert order_from_text("", FIELD) == ()


@pytest.mark.parametrize("text", ["nope:ASC", "status:UP", "status:ASC:DESC", "*:ASC", "status ASC"])
def test_an_order_that_cannot_be_read_is_refused(text):
    with pytest.raises(InvalidRequest, match="sort"):
        order_from_text(text, FIELD)


def test_every_field_has_a_fact():
    run = workflow()
    for field in WORKFLOW_FIELDS.values():
        run_facts(run)(field.name)
    for field in TASK_FIELDS.values():
        task_facts(task(), run)(field.name)
