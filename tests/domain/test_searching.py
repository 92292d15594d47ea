"""What conditions say about facts, and which runs they leave for an index to find."""

import pytest
from fermata.domain.searching.conditions import EVERYTHING, UNKNOWN, Both, Either, IsNull, Not, OneOf, StartsWith, Within
from fermata.domain.searching.fields import TASK_FIELDS, WORKFLOW_FIELDS
from fermata.domain.searching.judging import judge, like
from fermata.domain.searching.narrowing import Box, boxes
from fermata.domain.searching.reaching import runs_with
from fermata.domain.status import WorkflowStatus

FIELD = WORKFLOW_FIELDS
FAILED, JOB = OneOf(FIELD["status"], ("FAILED",)), OneOf(FIELD["workflowType"], ("job",))
LATE = Within(FIELD["startTime"], 100, None)
FACTS = {
    "workflowType": "job",
    "status": "FAILED",
    "startTime": 150,
    "endTime": None,
    "parentWorkflowId": None,
    "correlationId": None,
    "output": '{"code":"E-17"}',
    "version": 2,
}


def verdict(condition, **facts):
    known = FACTS | facts
    return judge(condition, lambda name: known.get(name, UNKNOWN))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (EVERYTHING, True),
        (FAILED, True),
        (Not(FAILED), False),
        (OneOf(FIELD["workflowType"], ("x", "j*b")), True),
        (OneOf(FIELD["workflowType"], ("JOB",)), False),
        (OneOf(FIELD["version"], (1, 2)), True),
        (LATE, True),
        (Within(FIELD["startTime"], 150, 150), True),
        (Within(FIELD["startTime"], None, 149), False),
        (Within(FIELD["endTime"], None, 5), True),  # an open run's end is the beginning of time
        (Within(FIELD["endTime"], 1, None), False),
        (IsNull(FIELD["endTime"]), True),
        (OneOf(FIELD["parentWorkflowId"], ("",)), True),
        (OneOf(FIELD["correlationId"], ("*",)), False),  # nothing compares with what is missing
        (Not(OneOf(FIELD["correlationId"], ("c",))), True),
        (StartsWith(FIELD["workflowType"], "jo"), True),
        (OneOf(FIELD["output"], ("e-17",)), True),  # content is looked into, in any case
        (OneOf(FIELD["output"], ("code*17",)), True),
        (OneOf(FIELD["output"], ("e-18",)), False),
        (OneOf(FIELD["reasonForIncompletion"], ("x",)), None),
        (Not(OneOf(FIELD["reasonForIncompletion"], ("x",))), None),
        (Both(FAILED, IsNull(FIELD["event"])), None),
        (Both(IsNull(FIELD["event"]), FAILED), None),
        (Both(IsNull(FIELD["event"]), Not(FAILED)), False),
        (Both(Not(FAILED), IsNull(FIELD["event"])), False),
        (Either(IsNull(FIELD["event"]), FAILED), True),
        (Either(IsNull(FIELD["event"]), Not(FAILED)), None),
    ],
)
def test_a_condition_is_judged_as_far_as_facts_are_known(condition, expected):
    assert verdict(condition) is expected


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("a*c", "abc", True),
        ("a*c", "ac", True),
        ("a*c", "abcd", False),
        ("*", "", True),
        ("ab*ba", "aba", False),
        ("*b*d*", "abcde", True),
        ("*d*b*", "abcde", False),
        ("a.c", "abc", False),
        ("*" + "a*" * 200 + "b", "a" * 10_000, False),
    ],
)
def test_a_star_stands_for_anything(pattern, text, expected):
    assert like(pattern, text) is expected


def box(after=0, before=10**15 - 1, **texts):
    return Box({name: frozenset(values) for name, values in texts.items()}, after, before)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (EVERYTHING, [box()]),
        (Both(FAILED, Both(JOB, LATE)), [box(100, status={"FAILED"}, workflowType={"job"})]),
        (Both(FAILED, OneOf(FIELD["status"], ("FAILED", "RUNNING"))), [box(status={"FAILED"})]),
        (Both(FAILED, OneOf(FIELD["status"], ("RUNNING",))), []),
        (Not(FAILED), [box(status=set(WorkflowStatus) - {"FAILED"})]),
        (Not(JOB), [box()]),
        (OneOf(FIELD["workflowType"], ("j*",)), [box()]),
        (Either(FAILED, JOB), [box(status={"FAILED"}), box(workflowType={"job"})]),
        (Both(LATE, Either(FAILED, JOB)), [box(100, status={"FAILED"}), box(100, workflowType={"job"})]),
        (IsNull(FIELD["parentWorkflowId"]), [box(parentWorkflowId={""})]),
        (Both(LATE, Within(FIELD["startTime"], None, 99)), []),
        (OneOf(FIELD["startTime"], (5, 7)), [box(5, 7)]),
        (Within(FIELD["endTime"], 5, None), [box()]),
    ],
)
def test_a_condition_leaves_boxes_of_runs(condition, expected):
    assert list(boxes(condition)) == expected


def test_more_alternatives_than_can_be_looked_for_become_one():
    many = JOB
    for number in range(20):
        many = Either(OneOf(FIELD["workflowType"], (str(number),)), many)
    assert boxes(many) == (Box(),)


TASK = TASK_FIELDS
END = FIELD["endTime"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (OneOf(TASK["workflowType"], ("job",)), JOB),
        (Not(OneOf(TASK["workflowType"], ("job",))), Not(JOB)),
        (OneOf(TASK["status"], ("FAILED",)), EVERYTHING),
        (Not(OneOf(TASK["status"], ("FAILED",))), EVERYTHING),
        (OneOf(TASK["taskId"], ("t", "gone")), OneOf(FIELD["workflowId"], ("w",))),
        (Not(OneOf(TASK["taskId"], ("t",))), EVERYTHING),
        (OneOf(TASK["taskId"], ("t*",)), EVERYTHING),
        (Within(TASK["startTime"], 5, None), Both(EVERYTHING, Either(IsNull(END), Within(END, 5, None)))),
        (Within(TASK["scheduledTime"], None, 9), Both(Within(FIELD["startTime"], None, 9), EVERYTHING)),
    ],
)
def test_a_condition_on_tasks_tells_which_runs_can_have_them(condition, expected):
    assert runs_with(condition, {"t": "w"}) == expected
