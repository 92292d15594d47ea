"""Tell what a run waits for, from the view that was read anyway. Only a run that waits for workers costs one read more: who polled."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from fermata.application.engine import Engine
from fermata.application.views import ExecutionView
from fermata.domain import awaited
from fermata.domain.awaited import Party, Standing, Waiting
from fermata.domain.overview import Overview


def waiting_for(engine: Engine, view: ExecutionView) -> tuple[Waiting, ...]:
    """Return what the run waits for; of a view without tasks only what concerns the run itself."""
    standing = [Standing(each.task, each.workflow_task, each.poll, each.work) for each in view.tasks]
    found = awaited.waiting_for(view.definition, view.workflow, standing, engine.clock.now())
    polled = _last_polls(engine, found)
    return _with(found, polled)


def with_last_polls(engine: Engine, found: Mapping[str, Overview]) -> Mapping[str, Overview]:
    """Return lines about runs with who polled the queues that they wait for: one read for all."""
    polled = _last_polls(engine, [each for line in found.values() for each in line.waiting])
    return {name: replace(line, waiting=_with(line.waiting, polled)) for name, line in found.items()}


def _last_polls(engine: Engine, found: Iterable[Waiting]) -> Mapping[str, datetime | None]:
    queues = {each.name for each in found if each.party is Party.WORKER and each.name}
    return engine.work.last_polls(queues) if queues else {}


def _with(found: tuple[Waiting, ...], polled: Mapping[str, datetime | None]) -> tuple[Waiting, ...]:
    return tuple(replace(each, last_poll=polled.get(each.name)) if each.party is Party.WORKER and each.name else each for each in found)
