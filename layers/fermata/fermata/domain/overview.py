"""A line about an unfinished run for who looks at many: what it waits for, since when, what was said last, and what will end the wait."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from fermata.domain.awaited import Party, Standing, Waiting, waiting_for
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.executions import Task, Workflow
from fermata.domain.http_rules import BadRequestFields
from fermata.domain.poll_settings import PollSettings, poll_settings
from fermata.domain.timeouts import task_deadline, workflow_deadline


@dataclass(frozen=True)
class Overview:
    """`shown`: the task that tells most of the run, a poll before all else; None while none is open that waits for the outside.

    `waiting` is what is told of the run and of up to `MAX_WAITS` of its tasks; `open_tasks` counts them all. `until`: when the run or that
    task gives up by itself; None: at no stored moment.
    """

    workflow: Workflow
    waiting: tuple[Waiting, ...]
    shown: Standing | None
    max_poll_count: int | None = None
    since: datetime | None = None
    last_poll: datetime | None = None
    next_poll: datetime | None = None
    until: datetime | None = None

    @property
    def host(self) -> str | None:
        """Return the host that the shown task asks."""
        told = self.of_shown
        return told.name if told and told.party in (Party.VENDOR, Party.UPDATE) else None

    @property
    def of_shown(self) -> Waiting | None:
        return next((each for each in self.waiting if self.shown and each.task_id == self.shown.task.task_id), None)


def overview(definition: WorkflowDefinition, workflow: Workflow, standing: Sequence[Standing], now: datetime) -> Overview:
    """Return the line about an unfinished run. `standing` is of those of its tasks that are known; what is over is passed over."""
    still = [each for each in standing if not each.task.status.terminal]
    waiting = waiting_for(definition, workflow, still, now)
    shown = next((each for each in still if each.poll), still[0] if still else None)
    if shown is None:
        return Overview(workflow, waiting, None, until=workflow_deadline(definition, workflow))
    settings, poll = _settings(shown), shown.poll
    return Overview(
        workflow,
        waiting,
        shown,
        max_poll_count=settings.max_poll_count if settings else None,
        since=_since(shown),
        last_poll=poll.recent[-1].fired if poll and poll.recent else None,
        next_poll=poll.due if poll else None,
        until=_until(definition, workflow, shown, settings),
    )


def _settings(shown: Standing) -> PollSettings | None:
    """Return the settings of a poll; None where its input is not known."""
    if shown.poll is None or shown.task.task_type != "HTTP_POLL" or not shown.task.input:
        return None
    try:
        return poll_settings(shown.task.input, timedelta(0))
    except BadRequestFields:
        return None


def _since(shown: Standing) -> datetime:
    began = shown.poll.started_at if shown.poll else shown.task.start_time
    return began or shown.task.scheduled_time


def _until(definition: WorkflowDefinition, workflow: Workflow, shown: Standing, settings: PollSettings | None) -> datetime | None:
    limit = task_deadline(shown.step.task_definition if shown.step else None, shown.task, responds=False)
    last_look = _opened(shown.task) + settings.deadline if settings and settings.deadline else None
    moments = (workflow_deadline(definition, workflow), limit.at if limit else None, last_look)
    return min((moment for moment in moments if moment), default=None)


def _opened(task: Task) -> datetime:
    return task.due or task.scheduled_time
