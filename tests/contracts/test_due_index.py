"""What every `DueIndex` promises: whatever has a look-at time is found once it is past, and nothing else."""

import pytest
from fermata.domain.effects import Decision
from fermata.domain.schedules import Schedule
from fermata.domain.working import WorkItem
from fermata.ports import DueEntry, DueKind

from tests.contracts.builders import GRACE, RUN, T0, decision, next_poll, run_id, seconds, spec, task, task_id, workflow

LATER = T0 + seconds(100_000)


@pytest.fixture
def due(store):
    return store.due


def settle(store, made):
    assert store.executions.commit(made)
    store.executions.settle_tasks(made)
    store.executions.settled(made)


def test_nothing_is_due_in_an_empty_store(due):
    assert list(due.overdue(LATER, 10)) == []


def test_a_commit_is_looked_at_after_a_grace_until_it_is_settled(store, due):
    made = decision(1)
    store.executions.commit(made)
    entry = DueEntry(DueKind.WORKFLOW, RUN, None, T0 + GRACE)
    assert list(due.overdue(T0 + GRACE - seconds(1), 10)) == []
    assert list(due.overdue(T0 + GRACE, 10)) == [entry]
    store.executions.settled(made)
    assert list(due.overdue(LATER, 10)) == []


def test_a_settled_run_is_looked_at_when_it_says(store, due):
    settle(store, Decision(workflow(1, look_at=T0 + seconds(500))))
    assert list(due.overdue(T0 + seconds(499), 10)) == []
    assert list(due.overdue(T0 + seconds(500), 10)) == [DueEntry(DueKind.WORKFLOW, RUN, None, T0 + seconds(500))]


def test_a_task_is_looked_at_until_a_later_decision_clears_it(store, due):
    settle(store, decision(1, (task(1, look_at=T0 + seconds(5)), task(2))))
    assert list(due.overdue(LATER, 10)) == [DueEntry(DueKind.TASK, RUN, task_id(1), T0 + seconds(5))]
    settle(store, decision(2, (task(1),)))
    assert list(due.overdue(LATER, 10)) == []


def test_an_open_poll_is_looked_at_a_minute_after_its_first_due_time(store, due):
    store.polls.open(spec(), T0)
    assert list(due.overdue(LATER, 10)) == [DueEntry(DueKind.POLL, RUN, task_id(1), T0 + GRACE)]


def test_a_poll_that_is_made_does_not_move_in_the_index(store, due):
    store.polls.open(spec(), T0)
    before = list(due.overdue(LATER, 10))
    store.polls.advance(next_poll(store.polls.load(task_id(1)).state))
    assert list(due.overdue(LATER, 10)) == before


def test_a_closed_poll_is_not_found(store, due):
    store.polls.open(spec(), T0)
    store.polls.close(task_id(1))
    assert list(due.overdue(LATER, 10)) == []


def test_a_poll_that_closed_itself_is_found_until_it_is_closed(store, due):
    # The outcome of the last poll may be lost between the two: the sweeper must still see it.
    store.polls.open(spec(), T0)
    store.polls.advance(next_poll(store.polls.load(task_id(1)).state, is_open=False))
    assert len(due.overdue(LATER, 10)) == 1
    store.polls.close(task_id(1))
    assert list(due.overdue(LATER, 10)) == []


@pytest.fixture
def every_kind(store):
    store.executions.commit(decision(1, look_at=T0))
    store.executions.settle_tasks(decision(1, (task(2, look_at=T0 + seconds(7)),)))
    store.polls.open(spec(3), T0)
    store.work.open(WorkItem(task_id(4), RUN, "pack", "pack", T0))
    store.schedules.put(Schedule("nightly", {}, T0, T0, look_at=T0))


def test_look_again_moves_each_kind_of_entry(due, every_kind):
    found = due.overdue(LATER, 10)
    assert {entry.kind for entry in found} == set(DueKind)
    for entry in found:
        due.look_again(entry, LATER + seconds(1))
    assert list(due.overdue(LATER, 10)) == []
    assert {entry.look_at for entry in due.overdue(LATER + seconds(1), 10)} == {LATER + seconds(1)}


def test_look_again_of_an_entry_that_moved_or_went_changes_nothing(store, due, every_kind):
    found = due.overdue(LATER, 10)
    for entry in found:
        due.look_again(entry, T0 + seconds(900))
        due.look_again(entry, T0 + seconds(1))
    assert {entry.look_at for entry in due.overdue(LATER, 10)} == {T0 + seconds(900)}
    store.polls.close(task_id(3))
    due.look_again(DueEntry(DueKind.POLL, RUN, task_id(3), T0 + seconds(900)), T0)
    assert DueKind.POLL not in {entry.kind for entry in due.overdue(LATER, 10)}


def test_look_again_of_a_thing_that_never_was_makes_nothing(due):
    due.look_again(DueEntry(DueKind.TASK, RUN, task_id(1), T0), T0)
    assert list(due.overdue(LATER, 10)) == []


def test_no_more_than_asked_for_are_returned_the_oldest_first(store, due):
    for number in range(1, 21):
        store.executions.commit(decision(1, workflow_id=run_id(number), update_time=T0 + seconds(number % 7)))
    found = due.overdue(LATER, 5)
    assert len(found) == 5
    assert [entry.look_at for entry in found] == sorted(entry.look_at for entry in found)
    assert len(due.overdue(LATER, 100)) == 20
