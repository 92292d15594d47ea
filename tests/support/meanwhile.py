"""What happens while a caller waits: time passes in the world, and others act. No test sleeps."""

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from fermata.application.engine import Engine

from tests.support.world import World

if TYPE_CHECKING:
    from collections.abc import Callable


class Meanwhile:
    """`Pauses` of a world. Each of `acts` happens in one pause, in order; `lengths` holds the pauses so far."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.acts: list[Callable[[], Any]] = []
        self.lengths: list[timedelta] = []

    def pause(self, length: timedelta) -> None:
        self.lengths.append(length)
        if self.acts:
            self.acts.pop(0)()
        self.world.run_until(length)

    @property
    def waited(self) -> timedelta:
        return sum(self.lengths, timedelta(0))


def with_pauses(world: World, **bounds: Any) -> tuple[Engine, Meanwhile]:
    """Return the world's engine with pauses to be watched, and with other bounds (`longest_hold`, `worker_hold`)."""
    pauses = Meanwhile(world)
    return replace(world.engine, pauses=pauses, **bounds), pauses
