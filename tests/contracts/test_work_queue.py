"""What every `WorkQueue` promises: a row moves by one version at a time, and is found while, and only while, it may be taken."""

from dataclasses import replace

import pytest
from fermata.domain.timeouts import SWEEP_GRACE
from fermata.domain.work_limiting import Holder, Limiter
from fermata.domain.working import (
    LOOK_AFTER,
    LogEntry,
    WorkerQueue,
    WorkItem,
    WorkKey,
    WorkLimits,
    extended,
    handed_to,
    postponed,
    put_back,
)
from fermata.ports import DueEntry, DueKind

from tests.contracts.builders import BIG, RUN, T0, run_id, seconds, task_id

LIMITS = WorkLimits(T0 + seconds(900), 600, 60, 30, ends_workflow=True, concurrent=2, rate=3, rate_seconds=10)


def item(number: int = 1, **fields) -> WorkItem:
    defaults = {"task_id": task_id(number), "workflow_id": RUN, "task_name": "pack", "queue": "pack", "visible_at": T0}
    return WorkItem(**(defaults | fields))


@pytest.fixture
def work(store):
    return store.work


def one(work, number=1):
    return work.load([WorkKey(RUN, task_id(number))])[task_id(number)]


def found(work, queue="pack", now=T0, limit=10):
    return [waiting.task_id for waiting in work.waiting(queue, now, limit)]


def test_an_unknown_row_is_not_there(work):
    assert work.load([WorkKey(RUN, task_id(1))]) == {}
    assert not work.move(handed_to(item(), "ann", T0))
    work.close(WorkKey(RUN, task_id(1)))
    assert (found(work), work.load([WorkKey(RUN, task_id(1))])) == ([], {})


def test_an_opened_row_comes_back_whole(work):
    work.open(item(limits=LIMITS, callback_after_seconds=5))
    assert one(work) == item(limits=LIMITS, callback_after_seconds=5)


def test_opening_again_changes_nothing(work):
    work.open(item())
    assert work.move(handed_to(one(work), "ann", T0))
    before = one(work)
    work.open(item(visible_at=T0 + seconds(5)))
    assert (one(work), found(work)) == (before, [])


def test_rows_of_many_runs_are_read_at_once(work):
    rows = [item(number, workflow_id=run_id(number)) for number in range(1, 4)]
    for row in rows:
        work.open(row)
    assert work.load([row.key for row in rows]) == {row.task_id: row for row in rows}


def test_a_row_is_found_from_its_moment_on_in_its_own_queue(work):
    work.open(item(1, visible_at=T0 + seconds(10)))
    work.open(item(2, queue="blue:pack"))
    assert found(work, now=T0 + seconds(9)) == []
    assert found(work, now=T0 + seconds(10)) == [task_id(1)]
    assert found(work, "blue:pack") == [task_id(2)]
    assert found(work, "other") == []


def test_no_more_are_found_than_asked_for_and_all_of_them_in_time(work):
    for number in range(12):
        work.open(item(number))
    taken = set()
    while batch := list(work.waiting("pack", T0, 5)):
        assert len(batch) <= 5
        for waiting in batch:
            assert work.move(handed_to(waiting, "ann", T0))
            taken.add(waiting.task_id)
    assert taken == {task_id(number) for number in range(12)}


def test_a_taken_row_is_found_no_more_until_it_is_put_back(work):
    work.open(item())
    assert work.move(handed_to(one(work), "ann", T0))
    assert found(work) == []
    back = put_back(one(work), BIG, "ann", 7, T0 + seconds(1))
    assert work.move(back)
    assert (found(work, now=T0 + seconds(7)), found(work, now=T0 + seconds(8))) == ([], [task_id(1)])
    assert one(work) == back


def test_only_the_next_version_moves_a_row(work):
    work.open(item())
    taken = handed_to(item(), "ann", T0)
    later = extended(taken, T0 + seconds(3))
    assert not work.move(later)
    assert work.move(taken)
    assert not work.move(handed_to(item(), "bob", T0))
    assert not work.move(postponed(item(), T0))
    assert work.move(later)
    assert one(work) == later


def test_a_closed_row_is_kept_and_does_not_move(work):
    work.open(item())
    work.close(item().key)
    work.close(item().key)
    assert not work.move(handed_to(item(), "ann", T0))
    assert (one(work), found(work)) == (replace(item(), is_open=False), [])
    work.open(item())
    assert found(work) == []


def test_a_row_that_was_taken_keeps_what_it_knew_when_it_is_closed(work):
    work.open(item())
    taken = handed_to(item(), "ann", T0)
    assert work.move(taken)
    work.close(item().key)
    assert one(work) == replace(taken, is_open=False)


def test_a_removed_row_is_forgotten(store, work):
    work.open(item())
    work.remove(item().key)
    work.remove(item().key)
    assert (work.load([item().key]), found(work), list(store.due.overdue(T0 + seconds(100_000), 10))) == ({}, [], [])
    assert not work.move(handed_to(item(), "ann", T0))
    assert work.sizes(["pack"]) == {"pack": 0}


def test_sizes_count_what_waits_hidden_or_not(work):
    for number in range(5):
        work.open(item(number, visible_at=T0 + seconds(100 * number)))
    assert work.move(handed_to(one(work, 0), "ann", T0))
    work.close(WorkKey(RUN, task_id(1)))
    assert work.sizes(["pack", "other", "pack"]) == {"pack": 3, "other": 0}


def test_queues_are_known_once_they_hold_work_or_are_polled(work):
    work.open(item(1, queue="blue:pack"))
    work.note_poll(WorkerQueue("pack", None, "ann", T0))
    assert list(work.queues()) == [WorkerQueue("pack", "blue"), WorkerQueue("pack", None, "ann", T0)]
    assert work.last_polls(["pack", "blue:pack", "other"]) == {"pack": T0, "blue:pack": None, "other": None}


def test_new_work_does_not_forget_the_last_poll(work):
    work.note_poll(WorkerQueue("pack", None, "ann", T0))
    work.note_poll(WorkerQueue("pack", None, "bob", T0 + seconds(2)))
    work.open(item())
    assert list(work.queues()) == [WorkerQueue("pack", None, "bob", T0 + seconds(2))]


def test_a_limiter_moves_by_one_version(work):
    assert work.limiter("pack") == Limiter("pack")
    first = Limiter("pack", 1, (Holder(RUN, task_id(1), T0),), (T0,))
    assert not work.limit(replace(first, version=2))
    assert work.limit(first)
    assert not work.limit(replace(first, handed=()))
    assert work.limiter("pack") == first
    assert work.limiter("other") == Limiter("other")


def test_the_sweeper_finds_a_row_soon_after_its_deadline_or_after_an_hour(store, work):
    work.open(item(1))
    work.open(item(2, limits=WorkLimits(poll_timeout_seconds=10)))
    assert list(store.due.overdue(T0 + seconds(100_000), 10)) == [
        DueEntry(DueKind.WORK, RUN, task_id(2), T0 + seconds(10) + SWEEP_GRACE),
        DueEntry(DueKind.WORK, RUN, task_id(1), T0 + LOOK_AFTER),
    ]


def test_a_row_leaves_the_sweepers_index_only_when_it_is_closed(store, work):
    work.open(item())
    work.move(handed_to(item(), "ann", T0))
    (entry,) = store.due.overdue(T0 + seconds(100_000), 10)
    store.due.look_again(entry, T0 + seconds(50_000))
    assert [found.look_at for found in store.due.overdue(T0 + seconds(100_000), 10)] == [T0 + seconds(50_000)]
    work.close(item().key)
    assert list(store.due.overdue(T0 + seconds(100_000), 10)) == []


def test_worker_rows_and_logs_are_no_tasks_of_the_run(store, work):
    work.open(item())
    store.task_logs.append(item().key, [LogEntry("hello", T0)])
    assert list(store.executions.all_tasks(RUN)) == []


def test_logs_come_back_as_they_were_written_oldest_first(store):
    entries = [
        LogEntry("second", T0 + seconds(1)),
        LogEntry("first {not json", T0),
        LogEntry("Größe " * 9000, T0 + seconds(2)),
        LogEntry("", T0),
    ]
    store.task_logs.append(item().key, entries)
    store.task_logs.append(item().key, entries[:1])
    store.task_logs.append(item(2).key, [LogEntry("other", T0)])
    logs = store.task_logs.read(item().key)
    assert [entry.at for entry in logs] == sorted(entry.at for entry in entries)
    assert sorted(entry.log for entry in logs) == sorted(entry.log for entry in entries)
    assert list(store.task_logs.read(item(3).key)) == []
    for _ in range(2):
        store.task_logs.remove(item().key)
    assert (list(store.task_logs.read(item().key)), len(store.task_logs.read(item(2).key))) == ([], 1)
