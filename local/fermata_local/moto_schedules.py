"""A moto schedule group (5.2) that keeps one-shot schedules in the order of their moments: the next is found without a look at all."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from moto.scheduler.models import Schedule, ScheduleGroup

_AFTER_EVERY_NAME = "\x7f"  # names are ASCII


class OrderedGroup(ScheduleGroup):
    """Our `at(...)` expressions, in UTC and whole seconds, sort as their moments do. They are not changed once they are there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._order: list[tuple[str, str]] = []

    def add_schedule(self, schedule: Schedule) -> None:
        super().add_schedule(schedule)
        if schedule.schedule_expression.startswith("at("):
            insort(self._order, (schedule.schedule_expression, schedule.name))

    def delete_schedule(self, name: str) -> None:
        self.done(name)
        super().delete_schedule(name)

    def done(self, name: str) -> None:
        """Take a one-shot out of the order, which leaves it stored. Safe to repeat."""
        place = (self.get_schedule(name).schedule_expression, name)
        number = bisect_left(self._order, place)
        if self._order[number : number + 1] == [place]:
            del self._order[number]

    def one_shots(self, until: datetime | None = None) -> Sequence[Schedule]:
        """Return those that are not done, up to `until`, in their order."""
        last = (f"at({until:%Y-%m-%dT%H:%M:%S})", _AFTER_EVERY_NAME) if until else ("b", "")
        return [self.schedules[name] for _, name in self._order[: bisect_right(self._order, last)]]

    def next_one_shot(self) -> Schedule | None:
        return self.schedules[self._order[0][1]] if self._order else None
