"""What every `Schedules` promises."""

from dataclasses import replace
from datetime import timedelta

from fermata.domain.schedules import CronEntry, Schedule, ScheduledStart, StartState
from fermata.ports import DueEntry, DueKind

from tests.contracts.builders import T0, seconds

DAY = timedelta(days=1)


def schedule(name="nightly", revision=1, **fields):
    request = {"name": "report", "input": {"exact": 12345678901234567890, "nothing": None}}
    return Schedule(name, request, T0, T0, cron=CronEntry("@daily"), revision=revision, **fields)


def record(number=1, name="nightly", **fields):
    at = T0.replace(microsecond=0) + number * DAY
    return ScheduledStart(f"e{name}{number}", name, 1, "UTC", at, at + seconds(1.5), "report", {"name": "report"}, **fields)


def test_a_schedule_is_read_as_it_was_stored(store):
    full = schedule(
        crons=(CronEntry("0 0 9 * * MON-FRI", "Europe/Berlin"), CronEntry("@hourly")),
        paused=True,
        paused_reason="Größe",
        catches_up=True,
        start=T0,
        end=T0 + DAY,
        description="d",
        created_by="a",
        updated_by="b",
        armed=True,
        may_be_armed=2,
        cursors=(T0, T0 + DAY),
        look_at=T0,
    )
    assert store.schedules.put(full)
    assert store.schedules.load("nightly") == full
    assert store.schedules.load("other") is None


def test_a_write_must_follow_the_one_that_is_stored(store):
    assert not store.schedules.put(schedule(revision=2))
    assert store.schedules.put(schedule())
    assert not store.schedules.put(schedule(paused=True))
    assert not store.schedules.put(schedule(revision=3))
    assert store.schedules.put(schedule(revision=2, description="second"))
    assert not store.schedules.put(schedule(revision=2, description="too late"))
    assert store.schedules.load("nightly").description == "second"


def test_all_are_listed_by_name_also_those_being_deleted(store):
    for name in ("b", "a b/c", "a"):
        store.schedules.put(schedule(name))
    store.schedules.put(schedule("b", 2, deleted=True))
    assert [found.name for found in store.schedules.all()] == ["a", "a b/c", "b"]


def test_one_is_forgotten_only_as_it_is_stored(store):
    store.schedules.put(schedule(look_at=T0))
    store.schedules.put(schedule(revision=2, look_at=T0))
    assert not store.schedules.forget(schedule())
    assert store.schedules.forget(schedule(revision=2))
    assert not store.schedules.forget(schedule(revision=2))
    assert store.schedules.load("nightly") is None
    assert store.due.overdue(T0 + DAY, 10) == []
    assert store.schedules.put(schedule())


def test_a_row_is_due_at_its_look_at(store):
    store.schedules.put(schedule(look_at=T0 + seconds(60)))
    assert store.due.overdue(T0 + seconds(59), 10) == []
    [entry] = store.due.overdue(T0 + seconds(60), 10)
    assert entry == DueEntry(DueKind.SCHEDULE, "nightly", None, T0 + seconds(60))
    store.due.look_again(entry, T0 + DAY)
    assert store.due.overdue(T0 + seconds(60), 10) == []
    store.schedules.put(schedule(revision=2, look_at=T0 + 2 * DAY))
    assert store.due.overdue(T0 + DAY, 10) == []
    store.schedules.put(schedule(revision=3))
    assert store.due.overdue(T0 + 9 * DAY, 10) == []


def test_the_record_of_a_start_is_made_once(store):
    first = record()
    assert store.schedules.begin(first) == first
    later = replace(first, execution_time=T0 + DAY)
    assert store.schedules.begin(later) == first
    done = replace(first, state=StartState.EXECUTED, workflow_id="w")
    for _ in range(2):
        store.schedules.end(done)
    assert store.schedules.begin(later) == done
    assert list(store.schedules.starts("nightly")) == [done]


def test_records_are_listed_newest_first_and_by_schedule(store):
    second_cron = replace(record(2), execution_id="e2", entry=2)
    for start in (record(2), record(1), second_cron, record(3), record(1, "nightly2")):
        store.schedules.begin(start)
    assert list(store.schedules.starts("nightly")) == [record(3), second_cron, record(2), record(1)]
    assert list(store.schedules.starts("none")) == []


def test_records_are_forgotten_one_by_one(store):
    for number in (1, 2, 3):
        store.schedules.begin(record(number, state=StartState.FAILED, reason="no such workflow"))
    for _ in range(2):
        store.schedules.forget_starts([record(1), record(3)])
    assert [start.execution_id for start in store.schedules.starts("nightly")] == ["enightly2"]
