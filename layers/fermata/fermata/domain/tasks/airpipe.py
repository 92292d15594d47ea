"""The types of Air Pipe's actions (decision 0022). Their files are loaded with the first task of one: every door imports this."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from fermata.domain.airpipe.names import ANSWER, DELAY, HTTP, OUTPUT, STATE
from fermata.domain.tasks import hooks, http_poll
from fermata.domain.tasks.task_type import TaskType


def _of(module: str, name: str) -> Callable[..., Any]:
    """Return a hook that loads its file when it is called."""

    def hook(*given: Any) -> Any:
        return getattr(import_module(f"fermata.domain.tasks.{module}"), name)(*given)

    return hook


def _tried(name: str) -> TaskType:
    return TaskType(
        name,
        _of("airpipe_action", "by_a_door"),
        _of("airpipe_action", "validate"),
        deadline=hooks.in_its_own_time,
        let_go=http_poll.let_go,
        may_retry=False,
        keeps_polls=True,
    )


AIRPIPE_HTTP, AIRPIPE_STATE = _tried(HTTP), _tried(STATE)
AIRPIPE_OUTPUT = TaskType(OUTPUT, _of("airpipe_output", "start"), _of("airpipe_action", "validate"), may_retry=False)
AIRPIPE_DELAY = TaskType(
    DELAY,
    _of("airpipe_delay", "start"),
    _of("airpipe_action", "validate"),
    moved=_of("airpipe_delay", "moved"),
    deadline=hooks.in_its_own_time,
    may_retry=False,
)
AIRPIPE_ANSWER = TaskType(ANSWER, _of("airpipe_answer", "start"), _of("airpipe_answer", "validate"), may_retry=False)
