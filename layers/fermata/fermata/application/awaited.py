"""Tell what a run waits for, from the view that was read anyway. Only a run that waits for workers costs one read more: who polled."""

from dataclasses import replace

from fermata.application.engine import Engine
from fermata.application.views import ExecutionView
from fermata.domain import awaited
from fermata.domain.awaited import Party, Standing, Waiting


def waiting_for(engine: Engine, view: ExecutionView) -> tuple[Waiting, ...]:
    """Return what the run waits for; of a view without tasks only what concerns the run itself."""
    standing = [Standing(each.task, each.workflow_task, each.poll, each.work) for each in view.tasks]
    found = awaited.waiting_for(view.definition, view.workflow, standing, engine.clock.now())
    queues = {each.name for each in found if each.party is Party.WORKER and each.name}
    polled = engine.work.last_polls(queues) if queues else {}
    return tuple(replace(each, last_poll=polled.get(each.name)) if each.name in queues else each for each in found)
