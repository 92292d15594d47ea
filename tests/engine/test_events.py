"""EVENT tasks publish, and what handlers do about events: once for each message, however often it comes."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fermata.application.deliver import deliver
from fermata.application.event_registry import add_handlers
from fermata.application.handle_event import handle_event
from fermata.application.report import TaskResult, report
from fermata.application.sweep import sweep
from fermata.domain.errors import InvalidRequest, TransientError
from fermata.domain.event_handlers import EventExecution, EventMessage
from fermata.domain.messages import RunTask
from fermata.domain.sinks import NotPublished
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.ports import WorkflowQuery
from fermata.wire.event_handlers import event_handlers_from_json

from tests.support.chaos import Crash, CrashPlan, breaking
from tests.support.world import World, step, workflow

EVENT = "sqs:orders"


class Refusing:
    """A `Sinks` that gives these answers, one after the other."""

    def __init__(self, *answers: NotPublished | Exception | None) -> None:
        self.answers = list(answers)
        self.asked = 0

    def publish(self, *_: Any) -> NotPublished | None:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def handler(*actions: dict[str, Any], event: str = EVENT, **fields: Any) -> dict[str, Any]:
    return {"name": "h", "event": event, "active": True, "actions": list(actions), **fields}


def register(world: World, *handlers: dict[str, Any]) -> None:
    add_handlers(world.engine, event_handlers_from_json(list(handlers)))


def arrives(world: World, payload: Any, event: str = EVENT, message_id: str = "m1") -> None:
    handle_event(world.engine, EventMessage(event, message_id, payload))
    world.run()


def executions(world: World, event: str = EVENT) -> list[tuple[str, str, Any]]:
    return [(each.name, each.status.value, dict(each.output)) for each in world.engine.event_executions.of_event(event, 100)]


def waiting(world: World, *steps: dict[str, Any], name: str = "flow") -> str:
    started = world.start({**workflow(*(steps or (step("HUMAN", "ask"),))), "name": name})
    world.run()
    return started


def publishing(sink: str | None = "conductor", **fields: Any) -> dict[str, Any]:
    return step("EVENT", "tell", {"order": "${workflow.input.order}"}, sink=sink, **fields)


# --- the task ---


def test_the_payload_is_the_input_and_says_where_it_comes_from() -> None:
    world = World()
    workflow_id = world.start(workflow(publishing()), {"order": 7})
    world.run()
    [message] = world.sinks.published
    assert message.payload == {
        "order": 7,
        "sink": "conductor",
        "asyncComplete": False,
        "workflowInstanceId": workflow_id,
        "workflowType": "flow",
        "workflowVersion": 1,
        "correlationId": None,
        "taskToDomain": {},
        "event_produced": "conductor:flow:tell",
    }
    task = world.tasks(workflow_id)["tell"]
    assert (message.event, message.message_id) == ("conductor:flow:tell", task.task_id)
    assert (task.status, task.output) == (TaskStatus.COMPLETED, message.payload)


@pytest.mark.parametrize(
    ("sink", "event"),
    [
        ("conductor:done", "conductor:flow:done"),
        ("sqs:orders", "sqs:orders"),
        ("sqs:https://sqs.eu-west-1.amazonaws.com/123456789012/orders", "sqs:https://sqs.eu-west-1.amazonaws.com/123456789012/orders"),
        ("eventbridge:default", "eventbridge:default"),
        ("sqs:${workflow.input.order}", "sqs:7"),
    ],
)
def test_a_sink_is_a_queue_of_ours_an_sqs_queue_or_a_bus(sink: str, event: str) -> None:
    world = World()
    world.outcome(workflow(publishing(sink)), {"order": 7})
    assert [message.event for message in world.sinks.published] == [event]


@pytest.mark.parametrize("sink", [None, "", "kafka:topic", "nats:x", "amqp_queue:x", "conductors", "conductor_x:y", "sqs:", "orders"])
def test_a_sink_that_is_none_is_refused_at_registration(sink: str | None) -> None:
    with pytest.raises(InvalidRequest) as refused:
        World().register(workflow(publishing(sink)))
    [violation] = refused.value.violations
    assert violation.path == "tasks[0].sink"
    assert not sink or "these work: conductor, conductor:<name>, sqs:<queue name or URL>, eventbridge:<bus>" in violation.message


def test_a_sink_that_turns_out_to_be_none_fails_the_task() -> None:
    world = World()
    view = world.outcome(workflow(publishing("${workflow.input.order}")), {"order": "kafka:orders"})
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "'kafka:orders' is no sink here" in (view.tasks[0].task.reason_for_incompletion or "")
    assert world.sinks.published == []


def test_secrets_do_not_travel_with_events() -> None:
    secret = step("EVENT", "tell", {"token": "${workflow.secrets.T}"}, sink="conductor")
    with pytest.raises(InvalidRequest, match="Validation failed"):
        World().register(workflow(secret))
    world = World(secrets={"T": "hush"})
    view = world.outcome(
        workflow(step("EVENT", "tell", {"said": "${workflow.input.said}"}, sink="conductor")), {"said": "${workflow.secrets.T}"}
    )
    assert view.tasks[0].task.output["said"] == "${workflow.secrets.T}"


def test_a_refused_message_fails_the_task_and_is_retried_after_its_delay() -> None:
    policy = {"name": "tell", "retryCount": 1, "retryDelaySeconds": 30}
    world = World()
    sinks = Refusing(NotPublished("no such queue"), None)
    world.engine = replace(world.engine, sinks=sinks)
    view = world.outcome(workflow(publishing("sqs:orders", taskDefinition=policy)))
    assert [each.task.status for each in view.tasks] == [TaskStatus.FAILED, TaskStatus.COMPLETED]
    assert view.tasks[0].task.reason_for_incompletion == "The event could not be published to sqs:orders: no such queue"
    [failed, retried] = [each.task.end_time for each in view.tasks]
    assert failed
    assert retried == failed + timedelta(seconds=30)


def test_a_sink_that_is_busy_is_tried_again_by_the_delivery() -> None:
    world = World()
    sinks = Refusing(TransientError("slow down"), None)
    world.engine = replace(world.engine, sinks=sinks)
    workflow_id = world.start(workflow(publishing("sqs:orders")))
    with pytest.raises(TransientError):
        world.run()
    task = world.tasks(workflow_id)["tell"]
    assert task.status is TaskStatus.SCHEDULED
    deliver(world.engine, RunTask(workflow_id, task.task_id))
    assert world.tasks(workflow_id)["tell"].status is TaskStatus.COMPLETED


def test_with_async_complete_it_is_published_once_and_an_outside_party_ends_it() -> None:
    world = World()
    workflow_id = world.start(workflow(publishing(asyncComplete=True)), {"order": 7})
    world.run()
    task = world.tasks(workflow_id)["tell"]
    assert (task.status, task.output["event_produced"]) == (TaskStatus.IN_PROGRESS, "conductor:flow:tell")
    deliver(world.engine, RunTask(workflow_id, task.task_id))
    world.clock.advance(timedelta(days=2))
    assert sweep(world.engine).tasks == 0
    report(world.engine, TaskResult(workflow_id, task.task_id, TaskStatus.COMPLETED, {"by": "somebody"}))
    world.run()
    assert world.view(workflow_id).workflow.output == {"by": "somebody"}
    assert len(world.sinks.published) == 1


# --- what handlers do ---


def test_a_door_that_dies_anywhere_in_an_event_does_each_thing_once_when_it_comes_again() -> None:
    crashes = 0
    for boundary in range(200):
        world = World()
        world.register({**workflow(step("HUMAN", "ask")), "name": "ship"})
        asked = waiting(world)
        start = {"action": "start_workflow", "start_workflow": {"name": "ship"}}
        end = {"action": "complete_task", "complete_task": {"workflowId": "${run}", "taskRefName": "ask", "output": {"by": "${by}"}}}
        register(world, handler(start, end, condition="$.by === 'Ada'"), {**handler(start), "name": "other"})
        plan = CrashPlan(boundary)
        message = EventMessage(EVENT, "m1", {"run": asked, "by": "Ada"})
        with suppress(Crash):
            handle_event(breaking(world.engine, plan), message)
            break
        crashes += 1
        handle_event(world.engine, message)
        world.run()
        assert {status for _, status, _ in executions(world)} == {"COMPLETED"}
        assert len(executions(world)) == 3
        assert world.tasks(asked)["ask"].output["by"] == "Ada"
        assert world.engine.executions.search(WorkflowQuery(workflow_type="ship")).total_hits == 2
    assert crashes > 40, "an event has more boundaries than that"


def test_an_event_task_starts_another_run_with_what_it_said() -> None:
    world = World()
    world.register({**workflow(step("INLINE", "see", {"order": "${workflow.input.order}", "expression": "$.order"})), "name": "ship"})
    start = {"name": "ship", "input": {"order": "${order}", "from": "${workflowType}"}, "correlationId": "order-${order}"}
    register(world, handler({"action": "start_workflow", "start_workflow": start}, event="conductor:flow:tell"))
    world.outcome(workflow(publishing()), {"order": 7})
    [(name, status, output)] = executions(world, "conductor:flow:tell")
    assert (name, status) == ("h", "COMPLETED")
    run = world.view(output["workflowId"]).workflow
    [message] = world.sinks.published
    assert run.status is WorkflowStatus.COMPLETED
    assert (run.output, run.correlation_id, run.event) == ({"result": 7}, "order-7", "conductor:flow:tell")
    assert run.input == {
        "order": 7,
        "from": "flow",
        "conductor.event.messageId": message.message_id,
        "conductor.event.name": "conductor:flow:tell",
    }


def test_a_repeated_message_starts_once_and_two_handlers_start_two() -> None:
    world = World()
    world.register({**workflow(step("HUMAN", "ask")), "name": "ship"})
    action = {"action": "start_workflow", "start_workflow": {"name": "ship"}}
    register(world, handler(action, action), {**handler(action), "name": "other"})
    for _ in range(3):
        arrives(world, {"a": 1})
    started = [output["workflowId"] for _, _, output in executions(world)]
    assert len(set(started)) == 3
    arrives(world, {"a": 1}, message_id="m2")
    assert len({output["workflowId"] for _, _, output in executions(world)}) == 6


def test_a_start_whose_record_was_lost_finds_its_run() -> None:
    world = World()
    world.register({**workflow(step("HUMAN", "ask")), "name": "ship"})
    register(world, handler({"action": "start_workflow", "start_workflow": {"name": "ship"}}))
    arrives(world, {})
    [(_, _, first)] = executions(world)
    world.engine = replace(world.engine, event_executions=type(world.engine.event_executions)())
    arrives(world, {})
    assert executions(world) == [("h", "COMPLETED", first)]


@pytest.mark.parametrize(
    ("condition", "handled"), [("$.n > 1", True), ("$.n", True), ("$.n > 2", False), ("'yes'", False), ("", True), (None, True)]
)
def test_a_condition_decides_as_that_of_a_loop(condition: str | None, handled: bool) -> None:  # noqa: FBT001 - a table
    world = World()
    workflow_id = waiting(world)
    action = {"action": "terminate_workflow", "terminate_workflow": {"workflowId": "${id}"}}
    register(world, handler(action, condition=condition))
    arrives(world, {"n": 2, "id": workflow_id})
    [(_, status, _)] = executions(world)
    assert status == ("COMPLETED" if handled else "SKIPPED")
    assert world.view(workflow_id).workflow.status is (WorkflowStatus.TERMINATED if handled else WorkflowStatus.RUNNING)


def test_a_condition_that_fails_is_recorded_and_not_asked_again() -> None:
    world = World()
    register(world, handler({"action": "start_workflow", "start_workflow": {"name": "ship"}}, condition="$.a.b.c == 1"))
    arrives(world, {})
    arrives(world, {"a": {"b": {"c": 1}}})
    [(_, status, output)] = executions(world)
    assert status == "FAILED"
    assert output["error"].startswith("condition: ")


def test_an_inactive_handler_does_nothing() -> None:
    world = World()
    register(world, {**handler({"action": "start_workflow", "start_workflow": {"name": "ship"}}), "active": False})
    arrives(world, {})
    assert executions(world) == []


@pytest.mark.parametrize("by", ["reference", "id"])
@pytest.mark.parametrize(("verb", "status"), [("complete_task", TaskStatus.COMPLETED), ("fail_task", TaskStatus.FAILED)])
def test_an_event_ends_a_task(by: str, verb: str, status: TaskStatus) -> None:
    world = World()
    workflow_id = waiting(world)
    task_id = world.tasks(workflow_id)["ask"].task_id
    named = {"workflowId": "${wf}", "taskRefName": "${ref}"} if by == "reference" else {"taskId": "${task}"}
    register(world, handler({"action": verb, verb: {**named, "output": {"rows": "${rows}"}, "reasonForIncompletion": "because ${rows}"}}))
    arrives(world, {"wf": workflow_id, "ref": "ask", "task": task_id, "rows": 3})
    task = world.tasks(workflow_id)["ask"]
    assert task.status is status
    assert task.output["rows"] == 3
    assert task.output["conductor.event.messageId"] == "m1"
    assert task.output["conductor.event.name"] == EVENT
    assert task.reason_for_incompletion == "because 3"
    assert executions(world) == [
        (
            "h",
            "COMPLETED",
            {
                "workflowId": workflow_id if by == "reference" else None,
                "taskRefName": task.task_reference_name if by == "reference" else None,
                "taskId": task_id,
            },
        )
    ]


def test_in_a_loop_the_task_of_the_newest_iteration_is_meant() -> None:
    world = World()
    workflow_id = waiting(world, step("DO_WHILE", "l", loopCondition="$.l.iteration < 2", loopOver=[step("HUMAN", "ask")]))
    register(world, handler({"action": "complete_task", "complete_task": {"workflowId": workflow_id, "taskRefName": "ask"}}))
    arrives(world, {})
    arrives(world, {}, message_id="m2")
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED


def test_a_task_that_is_not_there_is_recorded_and_no_error() -> None:
    world = World()
    register(world, handler({"action": "complete_task", "complete_task": {"workflowId": "nobody", "taskRefName": "ask"}}))
    arrives(world, {})
    [(_, status, output)] = executions(world)
    assert status == "COMPLETED"
    assert "nobody" in output["error"]


def test_an_event_terminates_a_run_and_sets_variables() -> None:
    world = World()
    workflow_id = waiting(world)
    update = {"workflowId": "${wf}", "variables": {"seen": "${n}"}}
    end = {"workflowId": "${wf}", "terminationReason": "order ${n} was canceled"}
    register(
        world,
        handler(
            {"action": "update_workflow_variables", "update_workflow_variables": update},
            {"action": "terminate_workflow", "terminate_workflow": end},
        ),
    )
    arrives(world, {"wf": workflow_id, "n": 5})
    run = world.view(workflow_id).workflow
    assert (run.status, run.reason_for_incompletion) == (WorkflowStatus.TERMINATED, "order 5 was canceled")
    assert run.variables == {"seen": 5}


def test_what_cannot_be_done_is_recorded_as_failed_and_the_other_actions_go_on() -> None:
    world = World()
    workflow_id = waiting(world)
    register(
        world,
        handler(
            {"action": "start_workflow", "start_workflow": {"name": "nobody-knows"}},
            {"action": "terminate_workflow", "terminate_workflow": {"workflowId": workflow_id}},
        ),
    )
    arrives(world, {})
    assert {(status, output.get("error", "")) for _, status, output in executions(world)} == {
        ("FAILED", "No such workflow found by name: nobody-knows"),
        ("COMPLETED", ""),
    }


def test_what_may_pass_makes_the_message_come_again_for_what_is_not_done() -> None:
    world = World()
    ends, stays = waiting(world, name="a"), waiting(world, name="b")
    real = world.engine.executions
    busy = {"now": True}

    class Busy:
        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

        def load(self, workflow_id: str) -> Any:
            if workflow_id == stays and busy["now"]:
                raise TransientError("throttled")
            return real.load(workflow_id)

    register(
        world,
        *({**handler({"action": "terminate_workflow", "terminate_workflow": {"workflowId": one}}), "name": one} for one in (stays, ends)),
    )
    world.engine = replace(world.engine, executions=Busy())
    message = EventMessage(EVENT, "m1", {})
    with pytest.raises(TransientError):
        handle_event(world.engine, message)
    assert {name: status for name, status, _ in executions(world)} == {stays: "IN_PROGRESS", ends: "COMPLETED"}
    busy["now"] = False
    handle_event(world.engine, message)
    assert {name: status for name, status, _ in executions(world)} == {stays: "COMPLETED", ends: "COMPLETED"}
    assert world.view(stays).workflow.status is WorkflowStatus.TERMINATED


def test_json_inside_the_message_is_read_where_the_action_asks_for_it() -> None:
    world = World()
    world.register({**workflow(step("HUMAN", "ask")), "name": "ship"})
    start = {"name": "ship", "input": {"id": "${inner.deep.id}", "number": "${number}"}}
    plain, reading = ({"action": "start_workflow", "start_workflow": start, "expandInlineJSON": on} for on in (False, True))
    register(world, handler(plain, reading, condition="$.inner.deep.id === 'x'"))
    arrives(world, {"inner": '{"deep": "{\\"id\\": \\"x\\"}"}', "number": "007"})
    found = sorted(world.engine.event_executions.of_event(EVENT, 9), key=_index)
    inputs = [world.view(each.output["workflowId"]).workflow.input for each in found]
    assert [(given["id"], given["number"]) for given in inputs] == [(None, "007"), ("x", "007")]


def _index(execution: EventExecution) -> int:
    return execution.index


@pytest.mark.parametrize(("queue", "status"), [("conductor_COMPLETED", TaskStatus.COMPLETED), ("conductor_FAILED", TaskStatus.FAILED)])
@pytest.mark.parametrize("key", ["taskRefName", "taskId"])
def test_a_message_in_a_completion_queue_ends_the_task_that_its_external_id_names(queue: str, status: TaskStatus, key: str) -> None:
    world = World()
    workflow_id = waiting(world)
    named = "ask" if key == "taskRefName" else world.tasks(workflow_id)["ask"].task_id
    payload = {"externalId": f'{{"workflowId": "{workflow_id}", "{key}": "{named}"}}', "rows": 3}
    arrives(world, payload, "sqs:elsewhere")
    assert world.tasks(workflow_id)["ask"].status is TaskStatus.IN_PROGRESS
    arrives(world, payload, f"sqs:{queue}")
    task = world.tasks(workflow_id)["ask"]
    assert (task.status, task.output) == (status, payload)


@pytest.mark.parametrize(
    "payload", ["text", None, [1], {"externalId": 5}, {"externalId": "{"}, {"externalId": "[]"}, {"externalId": '{"taskId": "no"}'}]
)
def test_a_message_there_that_names_nothing_is_nobodys(payload: Any) -> None:
    world = World()
    arrives(world, payload, "sqs:conductor_COMPLETED")
    assert executions(world, "sqs:conductor_COMPLETED") == []


@pytest.mark.parametrize("payload", ["text", 5, None, [1, 2]])
def test_a_payload_may_be_anything(payload: Any) -> None:
    world = World()
    world.register({**workflow(step("HUMAN", "ask")), "name": "ship"})
    register(world, handler({"action": "start_workflow", "start_workflow": {"name": "ship", "input": {"x": "${a.b}"}}}, condition="true"))
    arrives(world, payload)
    [(_, status, output)] = executions(world)
    assert status == "COMPLETED"
    assert world.view(output["workflowId"]).workflow.input["x"] is None
