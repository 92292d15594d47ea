"""What every `Operations` promises."""

from dataclasses import replace

import pytest
from fermata.domain.operations import MAX_REASON_CHARACTERS, Operation, Order, Verb, of_decision, of_poll, operation

from tests.contracts.builders import RUN, T0, run_id, seconds, task, task_id

PAUSED = Operation(RUN, Verb.PAUSE, T0, "fk-1", "the vendor is down", key=of_decision(7))


@pytest.fixture
def operations(store):
    return store.operations


def test_nothing_was_done_to_an_unknown_run(operations):
    assert list(operations.of(RUN)) == []
    operations.remove(RUN)


def test_what_was_done_is_told_in_the_order_of_time_whatever_the_keys(operations):
    polled = Operation(RUN, Verb.POLL_NOW, T0 + seconds(2), "local", None, "await", of_poll(task_id(1), 3))
    resumed = Operation(RUN, Verb.RESUME, T0 + seconds(1), "arn:aws:iam::1:user/größe", key=of_decision(8))
    for each in (resumed, PAUSED, polled):
        operations.write(each)
    assert list(operations.of(RUN)) == [PAUSED, resumed, polled]


def test_a_repeat_changes_nothing(operations):
    operations.write(PAUSED)
    operations.write(replace(PAUSED, at=T0 + seconds(9), by="somebody else"))
    assert list(operations.of(RUN)) == [PAUSED]


def test_the_longest_reason_comes_back(operations):
    longest = operation(Order("fk-1", "ä" * 5000), RUN, Verb.SKIP, T0, "later", "r1")
    operations.write(longest)
    assert [len(each.reason) for each in operations.of(RUN)] == [MAX_REASON_CHARACTERS]


def test_a_run_is_forgotten_alone(operations, store):
    store.executions.settle_tasks  # noqa: B018 - the tasks of the run lie beside its log
    other = replace(PAUSED, workflow_id=run_id(9))
    for each in (PAUSED, other):
        operations.write(each)
    operations.remove(RUN)
    operations.remove(RUN)
    assert (list(operations.of(RUN)), list(operations.of(run_id(9)))) == ([], [other])


def test_the_log_is_not_among_the_tasks(operations, store):
    operations.write(PAUSED)
    assert list(store.executions.all_tasks(task().workflow_id)) == []
