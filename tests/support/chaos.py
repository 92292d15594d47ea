"""Ports that crash at a chosen boundary, and messages that come twice, early, late or never."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from fermata.application.engine import Engine
from fermata.domain.messages import Message


class Crash(BaseException):
    """The process is gone: no handler of the code under test may catch this."""


@dataclass
class CrashPlan:
    """Crash at the `boundary`-th boundary from now (each outside call has one before it and one after it); None: never."""

    boundary: int | None = None

    def pass_boundary(self) -> None:
        if self.boundary is None:
            return
        if self.boundary == 0:
            self.boundary = None
            raise Crash
        self.boundary -= 1


class Breaking:
    """A port whose every call has two crash boundaries: before it happened and after it happened."""

    def __init__(self, port: Any, plan: CrashPlan) -> None:
        self._port = port
        self._plan = plan

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call = getattr(self._port, name)

        def breaking(*args: Any, **kwargs: Any) -> Any:
            self._plan.pass_boundary()
            result = call(*args, **kwargs)
            self._plan.pass_boundary()
            return result

        return breaking


def breaking(engine: Engine, plan: CrashPlan) -> Engine:
    """Return the engine with every port that does something outside made breakable."""
    return replace(
        engine,
        executions=Breaking(engine.executions, plan),
        polls=Breaking(engine.polls, plan),
        work=Breaking(engine.work, plan),
        operations=Breaking(engine.operations, plan),
        state=Breaking(engine.state, plan),
        alarms=Breaking(engine.alarms, plan),
        http=Breaking(engine.http, plan),
        due_index=Breaking(engine.due_index, plan),
        sinks=Breaking(engine.sinks, plan),
        event_executions=Breaking(engine.event_executions, plan),
    )


class Mailbox:
    """An `Alarms` whose messages the test hands out: all of them are kept until delivered, lost or repeated on purpose."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Message, datetime]] = []

    def send(self, message: Message, at: datetime, now: datetime) -> None:
        if (message, at) not in self.waiting:
            self.waiting.append((message, at))
