"""What a door does with an event: each message once, early ones at their moment, bad ones reported and not their neighbours."""

from datetime import timedelta
from typing import Any

import pytest
from fermata.application.deliver import deliver_batch
from fermata.domain.errors import InvalidRequest
from fermata.domain.messages import WakeTask
from fermata.domain.status import WorkflowStatus
from fermata.wire.deliveries import to_text

from tests.support.world import World, step, workflow


def batch(*bodies: str) -> dict[str, Any]:
    return {"Records": [{"messageId": str(number), "body": body} for number, body in enumerate(bodies)]}


def waiting_world() -> tuple[World, WakeTask]:
    world = World()
    workflow_id = world.start(workflow(step("WAIT", "w", {"duration": "10 minutes"})))
    return world, WakeTask(workflow_id, world.tasks(workflow_id)["w"].task_id)


def test_a_wake_up_fired_early_is_sent_again_for_its_moment() -> None:
    world, message = waiting_world()
    world.clock.advance(timedelta(minutes=9, seconds=30))
    world.alarms.take_due(world.clock.now() + timedelta(hours=1))
    due = world.clock.now() + timedelta(seconds=30)
    assert deliver_batch(world.engine, batch(to_text(message, due))) == {"batchItemFailures": []}
    assert world.alarms.waiting() == [(message, due)]
    world.run()
    assert world.view(message.workflow_id).workflow.status is WorkflowStatus.COMPLETED
    assert world.clock.now() == due


def test_a_bad_message_is_reported_and_its_neighbours_are_delivered() -> None:
    world, message = waiting_world()
    world.clock.advance(timedelta(minutes=10))
    answer = deliver_batch(world.engine, batch("not JSON", to_text(message), '{"do":"Nothing"}'))
    assert answer == {"batchItemFailures": [{"itemIdentifier": "0"}, {"itemIdentifier": "2"}]}
    assert world.view(message.workflow_id).workflow.status is WorkflowStatus.COMPLETED


def test_a_direct_invocation_raises_what_is_wrong() -> None:
    with pytest.raises(InvalidRequest):
        deliver_batch(World().engine, {"do": "Nothing"})


def test_messages_for_runs_that_do_not_exist_do_nothing() -> None:
    nobody = [f'{{"do":"{kind}","workflowId":"w","taskId":"t","poll":1}}' for kind in ("RunTask", "PollDue", "WakeTask", "WakeWorkflow")]
    assert deliver_batch(World().engine, batch(*nobody)) == {"batchItemFailures": []}
