"""AIRPIPE_HTTP: one request, tried as its `retry` says. Each try is a poll: `application/airpipe/trying.py` makes it."""

from fermata.domain.airpipe.steps import HTTP
from fermata.domain.tasks import hooks, http_poll
from fermata.domain.tasks.airpipe_action import by_a_door, validate
from fermata.domain.tasks.task_type import TaskType

AIRPIPE_HTTP = TaskType(
    HTTP, by_a_door, validate, deadline=hooks.in_its_own_time, let_go=http_poll.let_go, may_retry=False, keeps_polls=True
)
