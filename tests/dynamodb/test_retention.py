"""Finished runs get a time to live on every row; a run that lives again loses it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from fermata.adapters.dynamodb import DynamoExecutions, DynamoOperations, DynamoPolls, keys
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.domain.effects import Decision
from fermata.domain.operations import Operation, Verb
from fermata.domain.status import WorkflowStatus
from fermata.ports import KeyHolder

from tests.contracts.builders import RUN, T0, next_poll, outcome, run_id, spec, task, task_id, workflow

KEEP = timedelta(days=7)
END = workflow(2, status=WorkflowStatus.COMPLETED, end_time=T0)
TTL = {"N": str(int((T0 + KEEP).timestamp()))}


@pytest.fixture
def executions(table):
    return DynamoExecutions(table, MemoryPayloads(), KEEP)


@pytest.fixture
def polls(table):
    return DynamoPolls(table, MemoryPayloads())


def settle(executions, made):
    assert executions.commit(made)
    executions.settle_tasks(made)
    executions.settled(made)


@pytest.fixture
def finished(executions, polls, table):
    """A finished run with an HTTP task, an outcome, an operation, and a poll with a pack; and another run beside it."""
    settle(executions, Decision(workflow(1), (task(1), task(2, task_type="HTTP_POLL"))))
    settle(executions, Decision(workflow(1, workflow_id=run_id(9)), (task(3, workflow_id=run_id(9)),)))
    polls.open(spec(2), T0)
    for _ in range(13):
        polls.advance(next_poll(polls.load(task_id(2)).state))
    executions.record(outcome(1))
    DynamoOperations(table).write(Operation(RUN, Verb.PAUSE, T0, "fk-1", "why", key="r2"))
    settle(executions, Decision(END))


def test_every_row_of_the_run_and_its_polls_expires_and_no_other(executions, finished, rows):
    executions.expire(RUN)
    executions.expire(RUN)
    mine = {keys.run_partition(RUN), keys.poll_partition(task_id(2))}
    stored = rows()
    assert len([row for row in stored if row["pk"]["S"] in mine]) == 8  # run, 2 tasks, outcome, operation; hot row, specification, pack
    assert {row["pk"]["S"] for row in stored if row.get("ttl") == TTL} == mine
    assert all((row.get("ttl") == TTL) == (row["pk"]["S"] in mine) for row in stored)


def test_a_run_that_is_not_over_keeps_its_rows(executions, rows):
    settle(executions, Decision(workflow(1), (task(1),)))
    executions.expire(RUN)
    assert not [row for row in rows() if "ttl" in row]


def test_without_retention_nothing_expires(table, executions, finished, rows):
    DynamoExecutions(table, MemoryPayloads()).expire(RUN)
    assert not [row for row in rows() if "ttl" in row]


def test_a_run_that_is_retried_lives_again_whole(executions, finished, rows):
    executions.expire(RUN)
    settle(executions, Decision(replace(END, revision=3, status=WorkflowStatus.RUNNING, end_time=None), (task(4),)))
    assert not [row for row in rows() if "ttl" in row or "xp" in row]
    settle(executions, Decision(replace(END, revision=4)))
    executions.expire(RUN)
    assert len([row for row in rows() if row.get("ttl") == TTL]) == 9


def test_a_run_that_was_retried_while_it_expired_is_revived_by_its_next_settling(executions, finished, rows):
    executions.expire(RUN)
    running = replace(END, status=WorkflowStatus.RUNNING, end_time=None)
    executions.commit(Decision(replace(running, revision=3)))  # and then the process died, before it settled
    settle(executions, Decision(replace(running, revision=4)))
    assert not [row for row in rows() if "ttl" in row or "xp" in row]


def test_an_idempotency_key_lives_as_long_as_its_run(executions, rows):
    settle(executions, Decision(workflow(1, idempotency_key="k")))
    executions.hold_key("export", "k", KeyHolder(RUN, T0))
    settle(executions, Decision(replace(END, idempotency_key="k")))
    executions.expire(RUN)
    assert [row.get("ttl") for row in rows() if row["pk"]["S"].startswith("I#")] == [TTL]
    settle(executions, Decision(workflow(3, idempotency_key="k")))
    assert not [row for row in rows() if "ttl" in row]
