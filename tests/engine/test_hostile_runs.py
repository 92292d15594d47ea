"""Vendors, definitions and inputs that want to break a run: each ends with a reason, and the others go on."""

import json
from datetime import timedelta
from typing import Any

import pytest
from fermata.application.sweep import sweep
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.wire import records

from tests.support.world import World, answer, step, workflow

HTTP = step("HTTP", "h", {"http_request": {"uri": "http://v", "method": "GET"}})
DEEP = b"[" * 900 + b"]" * 900


def said(body: bytes, kind: str = "application/json") -> HttpAnswer:
    return HttpAnswer(200, "OK", {"Content-Type": (kind,)}, body)


@pytest.mark.parametrize(
    "hostile",
    [
        said(b"1e999"),
        said(b'{"a": 1e999}'),
        said(b"x", "text/plain; charset=undefined"),
        said(b"x" * 3000, "text/plain; charset=idna"),
        said(DEEP),
        said(b"1" * 5000),
        said(b'{"a": "\\ud800"}'),
    ],
    ids=["infinite", "infinite inside", "charset undefined", "charset idna", "deep", "long number", "half a pair"],
)
def test_an_answer_that_no_store_could_hold_is_text_and_the_run_goes_on(hostile: HttpAnswer) -> None:
    view = World(lambda request: hostile).outcome(workflow(HTTP, step("INLINE", "after", {"expression": "1"})))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    for task in view.tasks:
        assert records.dump(task.task)


@pytest.mark.parametrize("hostile", [said(b"1e999"), said(DEEP), said(b"x", "text/plain; charset=undefined")])
def test_a_poll_of_such_an_answer_is_a_failed_poll(hostile: HttpAnswer) -> None:
    view = World(lambda request: hostile).outcome(workflow(step("HTTP_POLL", "p", {"http_request": {"uri": "http://v"}})))
    assert view.tasks[0].task.status is TaskStatus.FAILED
    assert "3 polls in a row failed" in (view.tasks[0].task.reason_for_incompletion or "")


def test_half_a_surrogate_pair_in_a_body_is_sent_and_not_stuck() -> None:
    posting = step("HTTP", "h", {"http_request": {"uri": "http://v", "method": "POST", "body": "${workflow.input.text}"}})
    for text in ("\ud800", {"a": "\ud800"}):
        assert World().outcome(workflow(posting), {"text": text}).workflow.status is WorkflowStatus.COMPLETED


def test_wrapping_a_value_again_and_again_fails_the_task_that_would_be_too_deep() -> None:
    wrapped: Any = "${workflow.variables.a}"
    for _ in range(100):
        wrapped = [wrapped]
    steps = [step("SET_VARIABLE", f"s{number}", {"a": wrapped}) for number in range(8)]
    view = World().outcome(workflow(*steps))
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "nested deeper than" in (view.workflow.reason_for_incompletion or "")


@pytest.mark.parametrize("given", [{"until": "9999-12-31 23:59"}, {"duration": "999999999d"}, {"duration": "300000d"}])
def test_a_wait_to_the_end_of_time_is_a_wait(given: dict[str, str]) -> None:
    world = World()
    workflow_id = world.start(workflow(step("WAIT", "w", given)))
    task = world.tasks(workflow_id).get("w")
    assert task is not None
    assert task.status in (TaskStatus.IN_PROGRESS, TaskStatus.FAILED_WITH_TERMINAL_ERROR)


@pytest.mark.parametrize(
    "fields",
    [{"readTimeOut": "${workflow.secrets.K}"}, {"uri": "ftp://${workflow.secrets.K}"}, {"acceptedStatusCodes": ["${workflow.secrets.K}"]}],
)
@pytest.mark.parametrize("kind", ["HTTP", "HTTP_POLL"])
def test_no_secret_reaches_a_reason(kind: str, fields: dict[str, Any]) -> None:
    def vendor(request: Any) -> Any:
        return HttpFailure(FailureKind.DNS, f"The host name in {request.uri} cannot be resolved")

    world = World(vendor, secrets={"K": "hunter2secret"})
    view = world.outcome(workflow(step(kind, "h", {"http_request": {"uri": "http://v", "method": "GET", **fields}})))
    assert "hunter2secret" not in repr(view) + repr(world.executions.all_tasks(view.workflow.workflow_id))


def test_a_row_of_endless_scripts_is_cut_short() -> None:
    steps = [step("INLINE", f"i{number}", {"expression": f"while(true){{}} //{number}"}, optional=True) for number in range(5)]
    view = World().outcome(workflow(*steps))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    reasons = [task.task.reason_for_incompletion or "" for task in view.tasks]
    assert sum("Not evaluated" in reason for reason in reasons) == 2


def test_a_long_row_of_scripts_is_many_decisions() -> None:
    steps = [step("INLINE", f"i{number}", {"expression": f"{number}"}) for number in range(160)]
    view = World().outcome(workflow(*steps))
    assert (view.workflow.status, view.workflow.output) == (WorkflowStatus.COMPLETED, {"result": 159})
    assert view.workflow.revision >= 4


@pytest.mark.parametrize("expression", ["|".join(["[@,@]"] * 24), "|".join(["join('',[to_string(@),to_string(@)])"] * 40)])
def test_an_output_filter_that_doubles_its_value_is_stopped(expression: str) -> None:
    request = {"uri": "http://v", "outputFilter": expression}
    view = World(lambda _: answer({"a": 1})).outcome(workflow(step("HTTP_POLL", "p", {"http_request": request})))
    assert "outputFilter" in (view.tasks[0].task.reason_for_incompletion or "")


def test_one_run_that_cannot_be_decided_does_not_keep_the_sweeper_from_the_others() -> None:
    world = World()
    stuck = world.start(workflow(step("WAIT", "w", {"duration": "5m"})))
    healthy = world.start(workflow(step("WAIT", "w", {"duration": "5m"})))
    world.alarms.take_due(world.clock.now() + timedelta(days=1))  # all alarms are lost
    real = world.executions.load_tasks

    def breaking(workflow_id: str, task_ids: Any) -> Any:
        if workflow_id == stuck:
            raise RuntimeError("this run is poison")
        return real(workflow_id, task_ids)

    world.executions.load_tasks = breaking  # type: ignore[method-assign]
    world.clock.advance(timedelta(minutes=10))
    swept = sweep(world.engine)
    assert (swept.tasks, swept.failures) == (1, 1)
    assert world.view(healthy).workflow.status is WorkflowStatus.COMPLETED
    world.executions.load_tasks = real  # type: ignore[method-assign]
    world.clock.advance(timedelta(minutes=10))
    sweep(world.engine)
    assert world.view(stuck).workflow.status is WorkflowStatus.COMPLETED


def test_json_that_is_fine_is_left_alone() -> None:
    body = {"n": 12345678901234567890, "f": 0.1, "deep": [[[[]]]]}
    view = World(lambda request: said(json.dumps(body).encode())).outcome(workflow(HTTP))
    assert view.tasks[0].task.output["response"]["body"] == body
