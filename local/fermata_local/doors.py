"""Loads the doors from their files and calls them as Lambda does: JSON in, JSON out."""

import json
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

from fermata_local import checkout, environment
from fermata_local.lambda_events import Event

TIMEOUT_SECONDS = 30
NAMES = ("api", "authorizer", "task_runner", "wakeup", "events", "sweeper", "airpipe", "web")

Handler = Callable[[Event, Any], Any]


class DoorFailed(Exception):
    """A door raised. The cause is what it raised."""

    def __init__(self, door: str, cause: BaseException) -> None:
        super().__init__(f"{door}: {type(cause).__name__}: {cause}{_place(cause)}")
        self.door = door


def _place(cause: BaseException) -> str:
    frames = traceback.extract_tb(cause.__traceback__)
    return f" ({frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno})" if frames else ""


@dataclass(frozen=True)
class Context:
    """The part of Lambda's context object that handlers and Powertools read."""

    function_name: str
    aws_request_id: str
    invoked_function_arn: str
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 512
    log_group_name: str = "local"
    log_stream_name: str = "local"

    def get_remaining_time_in_millis(self) -> int:
        return TIMEOUT_SECONDS * 1000


class Invoke(Protocol):
    def __call__(self, door: str, event: Event) -> Any:
        """Return what the door returned. Raises `DoorFailed`."""


# How many events a door handles at once, as Lambda environments would: a worker that waits for a task, or a vendor that hangs, must not
# hold up the others.
CONCURRENCY = {"api": 200, "authorizer": 1, "task_runner": 4, "wakeup": 4, "events": 4, "sweeper": 1, "web": 40, "airpipe": 40}


class Doors:
    """The doors by name, each with its limit of events at once; one more waits. Safe from many threads."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = dict(handlers)
        self._free = {name: threading.Semaphore(CONCURRENCY[name]) for name in handlers}
        self._requests = count(1)
        self._counting = threading.Lock()
        self.running = 0

    def __call__(self, door: str, event: Event) -> Any:
        """Return what the door returned. Raises `DoorFailed`."""
        with self._counted(), self._free[door]:
            request_id = f"00000000-0000-4000-8000-{next(self._requests):012d}"
            context = Context(f"fermata-{door}", request_id, environment.function_arn(door))
            try:
                # The round trip proves that nothing but JSON passes, as between AWS and a function.
                return json.loads(json.dumps(self._handlers[door](json.loads(json.dumps(event)), context)))
            except Exception as error:
                raise DoorFailed(door, error) from error

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._counting:
            self.running += 1
        try:
            yield
        finally:
            with self._counting:
                self.running -= 1


def load() -> dict[str, Handler]:
    """Return the handler of every door, each file executed afresh."""
    return {name: _uncounted(checkout.load(checkout.door_path(name), f"fermata_door_{name}").handler) for name in NAMES}


def _uncounted(handler: Handler) -> Handler:
    """Drop the metrics of each call: Powertools keeps them even when disabled, and prints them at every hundredth value."""
    from aws_lambda_powertools import Metrics

    def handle(event: Event, context: Any) -> Any:
        try:
            return handler(event, context)
        finally:
            Metrics().clear_metrics()

    return handle
