"""Schedules in memory on a virtual clock: what starts when, once, and what becomes of pauses, changes, crashes and misses."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fermata.adapters.memory.recurring import MemoryRecurringAlarms
from fermata.application import look
from fermata.application import schedules as use
from fermata.application.deliver import deliver
from fermata.application.sweep import sweep
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.messages import StartScheduled
from fermata.domain.schedules import KEPT_RUNS, MAX_CATCH_UP, TRIMMED_FROM, CronEntry, Recurrence, Schedule, ScheduledStart, StartState
from fermata.ports import RecurrencePart, RecurrenceRefused, WorkflowQuery

from tests.support.world import World, step, workflow

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
REPORT = workflow(step("INLINE", "note", {"expression": "1"}), outputParameters={"by": "${workflow.input._startedByScheduler}"})


@pytest.fixture
def world() -> World:
    made = World()
    made.register(REPORT)
    return made


def schedule(world: World, cron: str = "0 0 * * * *", name: str = "hourly", **fields: Any) -> Schedule:
    now = world.clock.now()
    made = Schedule(name, fields.pop("request", {"name": "flow", "input": {"a": 1}}), now, now, cron=CronEntry(cron), **fields)
    return use.save(world.engine, made).schedule


def started(world: World) -> list[datetime]:
    """When runs were started, oldest first."""
    page = world.engine.executions.search(WorkflowQuery(size=1000))
    return sorted(run.create_time for run in page.workflows)


def scheduled(world: World) -> list[int]:
    """For which moments runs were started, in milliseconds, in the order in which they were."""
    page = world.engine.executions.search(WorkflowQuery(size=1000))
    return [run.input["_scheduledTime"] for run in sorted(page.workflows, key=lambda run: (run.create_time, run.input["_scheduledTime"]))]


def records(world: World, name: str = "hourly") -> Sequence[ScheduledStart]:
    return world.engine.schedules.starts(name)


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def test_a_workflow_starts_at_each_moment_with_the_schedulers_inputs(world: World) -> None:
    schedule(world)
    world.run_until(3 * HOUR)
    assert started(world) == [BEGIN + HOUR, BEGIN + 2 * HOUR, BEGIN + 3 * HOUR]
    newest = records(world)[0]
    assert (newest.state, newest.scheduled_time, newest.execution_time) == (StartState.EXECUTED, BEGIN + 3 * HOUR, BEGIN + 3 * HOUR)
    run = look.execution(world.engine, newest.workflow_id or "", include_tasks=True)
    assert run.workflow.output == {"by": "hourly"}
    assert run.workflow.input == {
        "a": 1,
        "_startedByScheduler": "hourly",
        "_scheduledTime": ms(BEGIN + 3 * HOUR),
        "_executedTime": ms(BEGIN + 3 * HOUR),
        "_executionId": newest.execution_id,
        "_schedulerCron": "0 0 * * * * UTC",
    }


def test_seconds_come_as_delayed_messages_of_their_minute(world: World) -> None:
    schedule(world, "5,20,59 10 * * * *")
    world.run_until(11 * MINUTE)
    assert [(moment - BEGIN).total_seconds() for moment in started(world)] == [605, 620, 659]


def test_a_schedule_made_within_a_minute_starts_what_is_left_of_it(world: World) -> None:
    world.clock.advance(timedelta(seconds=30))
    schedule(world, "0,5,20,59 * * * * *")
    world.run_until(timedelta(seconds=36))
    assert [(moment - BEGIN).total_seconds() for moment in started(world)] == [59, 60, 65]


def test_a_late_minute_starts_its_past_seconds_at_once_and_the_others_in_time(world: World) -> None:
    schedule(world, "5,20,59 10 * * * *")
    world.clock.advance(10 * MINUTE + timedelta(seconds=30))
    for message in world.recurring.take_due(world.clock.now()):
        deliver(world.engine, message)
    world.run()
    assert [(moment - BEGIN).total_seconds() for moment in started(world)] == [630, 630, 659]
    assert scheduled(world) == [ms(BEGIN + timedelta(seconds=second)) for second in (605, 620, 659)]


def test_a_moment_that_comes_twice_starts_one_run(world: World) -> None:
    schedule(world)
    world.clock.advance(HOUR)
    message = StartScheduled("hourly", 1, BEGIN + HOUR)
    for _ in range(3):
        deliver(world.engine, message)
    assert len(started(world)) == 1
    assert [record.state for record in records(world)] == [StartState.EXECUTED]


def test_a_delivery_that_died_after_the_start_is_finished_by_the_next(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    schedule(world)
    world.clock.advance(HOUR)
    message = StartScheduled("hourly", 1, BEGIN + HOUR)
    with monkeypatch.context() as dying:
        dying.setattr(world.engine.schedules, "end", _die)
        with pytest.raises(InterruptedError):
            deliver(world.engine, message)
    assert [record.state for record in records(world)] == [StartState.POLLED]
    deliver(world.engine, message)
    assert [record.state for record in records(world)] == [StartState.EXECUTED]
    assert len(started(world)) == 1


def _die(*_: Any) -> Any:
    raise InterruptedError


@pytest.mark.parametrize(
    "at",
    [
        BEGIN + HOUR + MINUTE,  # not one of its moments any more
        BEGIN - HOUR,  # before it was made
        BEGIN + HOUR + timedelta(milliseconds=1),
    ],
)
def test_a_moment_that_is_none_starts_nothing(world: World, at: datetime) -> None:
    schedule(world)
    world.clock.advance(2 * HOUR)
    deliver(world.engine, StartScheduled("hourly", 1, at))
    assert (started(world), list(records(world))) == ([], [])


@pytest.mark.parametrize("entry", [2, 99])
def test_a_cron_that_is_gone_and_a_schedule_that_is_unknown_start_nothing(world: World, entry: int) -> None:
    schedule(world)
    world.clock.advance(HOUR)
    deliver(world.engine, StartScheduled("hourly", entry, BEGIN + HOUR))
    deliver(world.engine, StartScheduled("other", 1, BEGIN + HOUR))
    assert started(world) == []


def test_both_kinds_of_days_must_be_met(world: World) -> None:
    schedule(world, "0 0 0 13 * FRI")
    deliver(world.engine, StartScheduled("hourly", 1, datetime(2026, 1, 13, tzinfo=UTC)))
    world.run_until(60 * DAY)
    assert started(world) == [datetime(2026, 2, 13, tzinfo=UTC)]  # 13 January is a Tuesday


def test_every_cron_of_the_list_fires_on_its_own_in_its_zone(world: World) -> None:
    crons = (CronEntry("0 0 9 * * *", "Europe/Berlin"), CronEntry("0 0 9 * * *", "Asia/Tokyo"), CronEntry("0 0 9 * * *", "Europe/Berlin"))
    schedule(world, crons=crons)
    world.run_until(DAY)
    assert [moment.hour for moment in started(world)] == [8, 8, 0]
    assert [record.zone for record in records(world)] == ["Asia/Tokyo", "Europe/Berlin", "Europe/Berlin"]


def test_only_the_window_is_started_in(world: World) -> None:
    schedule(world, start=BEGIN + 2 * HOUR, end=BEGIN + 4 * HOUR)
    world.run_until(DAY)
    assert started(world) == [BEGIN + hours * HOUR for hours in (2, 3, 4)]
    assert use.get(world.engine, "hourly").next_run is None


def test_a_run_that_is_not_over_holds_up_no_other(world: World) -> None:
    world.register(workflow(step("HUMAN", "wait"), name="flow"))
    schedule(world)
    world.run_until(2 * HOUR)
    assert len(started(world)) == 2


# --- failed starts, and how many records are kept ---


def test_a_failed_start_is_recorded_with_its_reason_and_the_schedule_goes_on(world: World) -> None:
    schedule(world, request={"name": "later"})
    world.run_until(HOUR)
    [failed] = records(world)
    assert (failed.state, failed.workflow_id) == (StartState.FAILED, None)
    assert failed.reason == "No such workflow found by name: later"
    world.register(workflow(step("NOOP", "n"), name="later"))
    world.run_until(HOUR)
    assert [record.state for record in records(world)] == [StartState.EXECUTED, StartState.FAILED]


def test_the_newest_records_are_kept(world: World) -> None:
    schedule(world)
    world.run_until(TRIMMED_FROM * HOUR)
    assert len(records(world)) == TRIMMED_FROM
    world.run_until(HOUR)
    assert [record.scheduled_time for record in records(world)] == [BEGIN + (11 - n) * HOUR for n in range(KEPT_RUNS)]


# --- pause, resume, change, delete ---


def test_a_paused_schedule_starts_nothing_and_its_moments_are_not_made_up_for(world: World) -> None:
    schedule(world)
    use.pause(world.engine, "hourly", "holiday")
    paused = use.get(world.engine, "hourly")
    assert (paused.schedule.paused, paused.schedule.paused_reason, paused.next_run) == (True, "holiday", None)
    assert not world.recurring.armed()[0].enabled
    world.run_until(3 * HOUR + MINUTE)
    deliver(world.engine, StartScheduled("hourly", 1, BEGIN + HOUR))  # it was on its way
    assert started(world) == []
    use.resume(world.engine, "hourly")
    assert use.get(world.engine, "hourly").next_run == BEGIN + 4 * HOUR
    world.run_until(HOUR)
    assert started(world) == [BEGIN + 4 * HOUR]


def test_what_is_unknown_or_not_paused_is_told(world: World) -> None:
    schedule(world)
    with pytest.raises(NotFound, match="not paused"):
        use.resume(world.engine, "hourly")
    for act in (use.pause, use.resume, use.get):
        with pytest.raises(NotFound, match="no schedule other"):
            act(world.engine, "other")


def test_a_change_keeps_the_creation_and_replaces_the_moments(world: World) -> None:
    first = schedule(world, created_by="ada")
    world.clock.advance(MINUTE)
    second = schedule(world, "0 30 * * * *", created_by="bo", description="half past")
    assert (second.create_time, second.created_by, second.update_time) == (first.create_time, "ada", BEGIN + MINUTE)
    world.run_until(2 * HOUR)
    assert started(world) == [BEGIN + timedelta(minutes=30), BEGIN + timedelta(minutes=90)]


def test_a_list_that_shrinks_takes_its_alarms_along(world: World) -> None:
    schedule(world, crons=(CronEntry("0 0 1 * * *"), CronEntry("0 0 2 * * *"), CronEntry("0 0 3 * * *")))
    assert len(world.recurring.armed()) == 3
    schedule(world, crons=(CronEntry("0 0 4 * * *"),))
    assert [recurrence.entry for recurrence in world.recurring.armed()] == [1]
    world.run_until(DAY)
    assert started(world) == [BEGIN + 4 * HOUR]


def test_a_deleted_schedule_leaves_nothing(world: World) -> None:
    schedule(world)
    world.run_until(HOUR)
    for _ in range(2):
        use.delete(world.engine, "hourly")
    assert (world.engine.schedules.load("hourly"), list(world.recurring.armed()), list(records(world))) == (None, [], [])
    deliver(world.engine, StartScheduled("hourly", 1, BEGIN + HOUR))
    assert len(started(world)) == 1
    again = schedule(world)
    assert again.create_time == BEGIN + HOUR


def test_a_cron_that_never_comes_is_refused_by_name(world: World) -> None:
    with pytest.raises(InvalidRequest) as refused:
        schedule(world, crons=(CronEntry("@daily"), CronEntry("0 0 0 30 2 *")))
    assert [violation.path for violation in refused.value.violations] == ["cronSchedules[1].cronExpression"]
    assert world.engine.schedules.load("hourly") is None


# --- store, then act ---


@pytest.mark.parametrize("change", ["save", "pause", "delete"])
def test_a_change_whose_alarms_were_never_set_is_armed_by_the_sweeper(world: World, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    schedule(world, crons=(CronEntry("0 0 1 * * *"), CronEntry("0 0 2 * * *")))
    with monkeypatch.context() as dying:
        dying.setattr(MemoryRecurringAlarms, "put", _die)
        dying.setattr(MemoryRecurringAlarms, "remove", _die)
        with pytest.raises(InterruptedError):
            _do(world, change)
    assert len(world.recurring.armed()) == 2
    assert all(recurrence.enabled for recurrence in world.recurring.armed())
    world.clock.advance(MINUTE)
    assert sweep(world.engine).workflows == 1
    expected = {"save": [(1, True)], "pause": [(1, False), (2, False)], "delete": []}
    assert [(recurrence.entry, recurrence.enabled) for recurrence in world.recurring.armed()] == expected[change]
    assert sweep(world.engine).workflows == 0


def _do(world: World, change: str) -> None:
    if change == "save":
        schedule(world, "0 0 5 * * *")
    else:
        {"pause": use.pause, "delete": use.delete}[change](world.engine, "hourly")


def test_an_alarm_that_got_lost_is_back_within_a_day_and_counts_as_no_repair(world: World) -> None:
    schedule(world)
    world.recurring.remove("hourly", 1)
    world.clock.advance(DAY)
    assert sweep(world.engine).workflows == 0
    assert len(world.recurring.armed()) == 1


def test_whoever_arms_what_is_old_by_then_arms_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two changes at once: the first one's alarm is set after the second one's, whose cron must win all the same."""
    put, changed = MemoryRecurringAlarms.put, []

    def slow(alarms: MemoryRecurringAlarms, recurrence: Any, now: datetime) -> None:
        if not changed:
            changed.append(True)
            schedule(world, "0 45 * * * *")
        put(alarms, recurrence, now)

    monkeypatch.setattr(MemoryRecurringAlarms, "put", slow)
    schedule(world, "0 15 * * * *")
    [armed] = world.recurring.armed()
    assert armed.cron.minutes == {45}
    stored = world.engine.schedules.load("hourly")
    assert stored is not None
    assert (stored.armed, stored.entries) == (True, (CronEntry("0 45 * * * *"),))


# --- what was missed ---


def test_missed_moments_are_made_up_for_one_after_another_if_the_schedule_says_so(world: World) -> None:
    schedule(world, catches_up=True)
    world.run_until(HOUR)
    use.pause(world.engine, "hourly")
    world.run_until(3 * HOUR + MINUTE)
    use.resume(world.engine, "hourly")
    world.run()
    assert scheduled(world) == [ms(BEGIN + hours * HOUR) for hours in (1, 2, 3, 4)]
    assert started(world)[1:] == [BEGIN + 4 * HOUR + MINUTE] * 3
    world.run_until(HOUR)
    assert scheduled(world)[4:] == [ms(BEGIN + 5 * HOUR)]


def test_firings_that_got_lost_are_made_up_for_by_the_next_one(world: World) -> None:
    schedule(world, catches_up=True)
    world.clock.advance(3 * HOUR - MINUTE)
    assert len(world.recurring.take_due(world.clock.now())) == 2  # nobody delivers them
    world.run_until(MINUTE)
    world.run()
    assert scheduled(world) == [ms(BEGIN + hours * HOUR) for hours in (1, 2, 3)]


def test_no_more_than_the_newest_hundred_are_made_up_for(world: World) -> None:
    schedule(world, "0 * * * * *", catches_up=True, paused=True)
    world.run_until(DAY)
    use.resume(world.engine, "hourly")
    world.run()
    moments = scheduled(world)
    assert len(moments) == MAX_CATCH_UP
    assert (moments[0], moments[-1]) == (ms(BEGIN + DAY - 99 * MINUTE), ms(BEGIN + DAY))


def test_catching_up_keeps_to_the_window_and_to_the_seconds(world: World) -> None:
    schedule(world, "10,40 * * * * *", catches_up=True, end=BEGIN + 2 * MINUTE)
    world.run_until(HOUR)
    assert [(moment - BEGIN).total_seconds() for moment in started(world)] == [10, 40, 70, 100]


def test_catching_up_that_begins_later_does_not_reach_back(world: World) -> None:
    schedule(world, paused=True)
    world.run_until(3 * HOUR)
    schedule(world, catches_up=True)
    world.run_until(HOUR)
    assert scheduled(world) == [ms(BEGIN + 4 * HOUR)]


def test_a_change_of_something_else_keeps_what_is_still_to_be_made_up_for(world: World) -> None:
    schedule(world, catches_up=True, paused=True)
    world.run_until(2 * HOUR)
    schedule(world, catches_up=True, description="told")
    world.run_until(HOUR)
    assert scheduled(world) == [ms(BEGIN + hours * HOUR) for hours in (1, 2, 3)]


def test_a_recurring_alarm_alone_does_not_keep_a_run_busy(world: World) -> None:
    schedule(world)
    world.run()
    assert started(world) == []
    world.register(workflow(step("WAIT", "hold", {"duration": "3 hours"}), name="waits"))
    world.start(name="waits")
    world.run()
    assert len(started(world)) == 4


def test_schedules_are_listed_with_their_next_moments(world: World) -> None:
    schedule(world, name="b")
    schedule(world, "@daily", name="a")
    use.save(world.engine, replace(schedule(world, name="c"), paused=True, revision=1))
    assert [(each.schedule.name, each.next_run) for each in use.every(world.engine)] == [
        ("a", BEGIN + DAY),
        ("b", BEGIN + HOUR),
        ("c", None),
    ]


class Particular(MemoryRecurringAlarms):
    """Takes no cron of minute 13 and no zone but UTC, as EventBridge Scheduler may know fewer of both than we do."""

    def put(self, recurrence: Recurrence, now: datetime) -> None:
        if recurrence.cron.minutes == {13}:
            raise RecurrenceRefused(recurrence.entry, RecurrencePart.CRON, "Invalid Schedule Expression")
        if recurrence.zone != "UTC":
            raise RecurrenceRefused(recurrence.entry, RecurrencePart.ZONE, "Invalid Timezone")
        super().put(recurrence, now)


@pytest.fixture
def particular(world: World) -> World:
    world.engine = replace(world.engine, recurring=Particular())
    return world


def refusal(world: World, **fields: Any) -> tuple[str, Any]:
    with pytest.raises(InvalidRequest, match="is not accepted") as refused:
        schedule(world, **fields)
    [violation] = refused.value.violations
    return violation.path, violation.invalid_value


def test_a_schedule_that_the_alarms_do_not_take_is_refused_by_field_and_not_kept(particular: World) -> None:
    assert refusal(particular, cron="0 13 * * * *") == ("cronExpression", "0 13 * * * *")
    zoned = (CronEntry("0 0 * * * *"), CronEntry("0 5 * * * *", "Europe/Berlin"))
    assert refusal(particular, crons=zoned) == ("cronSchedules[1].zoneId", "Europe/Berlin")
    assert particular.engine.schedules.load("hourly") is None
    assert list(particular.engine.recurring.armed()) == []  # type: ignore[attr-defined]


def test_a_change_that_the_alarms_do_not_take_leaves_the_schedule_as_it_was(particular: World) -> None:
    before = schedule(particular, "0 7 * * * *", paused_reason="none")
    assert refusal(particular, cron="0 13 * * * *", paused=True)[0] == "cronExpression"
    after = particular.engine.schedules.load("hourly")
    assert after
    assert (after.entries, after.paused, after.armed) == (before.entries, False, True)
    assert [(one.entry, one.cron.minutes) for one in particular.engine.recurring.armed()] == [(1, {7})]  # type: ignore[attr-defined]
