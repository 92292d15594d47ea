"""The local cloud: the deployed system in one process, with moto's services and the doors from this checkout."""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from email.utils import format_datetime
from itertools import count
from typing import Any, Self

import boto3
from fermata.ports import Pauses

from fermata_local import doors, environment, gateway, lambda_events, moto_internals, payloads, resources
from fermata_local.clocks import LocalClock, RealClock
from fermata_local.doors import DoorFailed, Doors, Handler
from fermata_local.lambda_events import Event, GatewayAnswer, GatewayRequest
from fermata_local.pauses import LocalPauses
from fermata_local.pump import Pump
from fermata_local.recurring import RecurringSchedules
from fermata_local.sources import MINUTE, EveryMinute, Queue, Schedules, Source

# Lambda's limit for a synchronous event and for its answer (AWS Lambda quotas).
LAMBDA_PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024
# A sweep takes some 40 ms on moto: skipping through hours, every minute of it would cost more than the polls.
SKIPPING_SWEEP = timedelta(minutes=10)
A_LONG_TIME = timedelta(days=400)


class Stuck(Exception):
    """What was waited for did not happen: nothing is left to do, or the time limit is reached."""


@dataclass(frozen=True)
class ApiAnswer:
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class LocalCloud:
    """Use it in a `with`. One at a time in a process: moto and the environment are the process's.

    Tests drive it from one thread with `api`, `run_until` and `run_until_idle`; `serve` drives it with `start_pump`.
    Failures of doors are reported as one line each and kept in `failures`. `event_queues` are queues of the user's whose messages are
    events `sqs:<name>`. `keys` closes the API to callers without a token. `airpipe_prefix` stands before Air Pipe's interfaces; empty, they
    have every path but the API's.
    """

    def __init__(  # noqa: PLR0913 - one for each choice that `serve` offers, by keyword
        self,
        clock: LocalClock,
        *,
        min_poll_interval: int | None = None,
        event_queues: Sequence[str] = (),
        keys: bool = False,
        airpipe_prefix: str = environment.AIRPIPE_PREFIX,
        sweep_every: timedelta = MINUTE,
        doors_of: Callable[[LocalClock], AbstractContextManager[Mapping[str, Handler]]] | None = None,
        say: Callable[[str], None] = _to_stderr,
    ) -> None:
        self.clock = clock
        self.failures: list[str] = []
        self._min_poll_interval = min_poll_interval
        self._event_queues = event_queues
        self._keys = keys
        self._airpipe_prefix = airpipe_prefix
        self._sweep_every = sweep_every
        self.pauses = LocalPauses(self._pass_by)
        self._doors_of = doors_of or (lambda clock: engine_doors(clock, self.pauses))
        self._say = say
        self._open = ExitStack()
        self._requests = count(1)

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            secrets = environment.secrets()
            opening.enter_context(
                environment.applied(environment.variables(self._min_poll_interval, keys=self._keys, airpipe_prefix=self._airpipe_prefix))
            )
            opening.enter_context(moto_internals.running(self.clock))
            resources.create(secrets, self._event_queues)
            self.doors = Doors(opening.enter_context(self._doors_of(self.clock)))
            self._authorize = gateway.Authorizing(lambda event: self.doors("authorizer", event), self.clock.now)
            self.pump = self._wired()
            self._open = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _wired(self) -> Pump:
        sqs = boto3.client("sqs")
        sources: Sequence[Source] = (
            Queue(environment.WORK_QUEUE, "task_runner", sqs),
            Queue(environment.WAKEUP_QUEUE, "wakeup", sqs),
            *(Queue(name, "events", sqs) for name in (environment.EVENTS_QUEUE, *self._event_queues)),
            Schedules(environment.GROUP, self.clock.now),
        )
        recurring = RecurringSchedules(environment.RECURRING_GROUP, self.clock.now)
        sweeper = EveryMinute("sweeper", self.clock.now(), self._sweep_every)
        return Pump(sources, sweeper, self.clock, self.doors, self._report, recurring)

    def _report(self, line: str) -> None:
        self.failures.append(line)
        self._say(line)

    def http(self, request: GatewayRequest) -> GatewayAnswer:
        """Play API Gateway: hand a request to the door of its route and give back the answer. Safe from many threads.

        The answer's Date is that of this cloud's clock, by which a page counts down.
        """
        answer = self._answer(request)
        return replace(answer, headers={**answer.headers, "Date": format_datetime(self.clock.now(), usegmt=True)})

    def _answer(self, request: GatewayRequest) -> GatewayAnswer:
        if payloads.is_for_payloads(request):
            return payloads.answer(request)
        route = gateway.route_of(request.target, self._airpipe_prefix)
        event = lambda_events.http_api(request, f"local-{next(self._requests)}", self.clock.now(), route)
        if len(json.dumps(event)) > LAMBDA_PAYLOAD_LIMIT_BYTES:
            return lambda_events.refusal(413, "The request is larger than the 6 MB that a function can be handed.")
        try:
            answer = self._handed_on(event, gateway.door_of(route))
        except (DoorFailed, ValueError) as error:
            self._report(str(error))
            return lambda_events.refusal(500, "Internal Server Error")
        self.pump.notify()
        if len(answer.body) > LAMBDA_PAYLOAD_LIMIT_BYTES:
            self._report(f"the answer to {request.method} {request.target} is larger than the 6 MB that a function can return")
            return lambda_events.refusal(500, "Internal Server Error")
        return answer

    def _handed_on(self, event: Event, door: str) -> GatewayAnswer:
        admitted = self._authorize(event) if self._keys and door != "web" else event
        if isinstance(admitted, GatewayAnswer):
            return admitted
        return lambda_events.gateway_answer(self.doors(door, admitted))

    def api(self, method: str, target: str, body: Any = None, headers: Mapping[str, str] | None = None) -> ApiAnswer:
        """Make one REST request without a socket. `target` is path and query; `body` becomes JSON, None sends none."""
        content = b"" if body is None else json.dumps(body).encode()
        sent = {"content-type": "application/json", **(headers or {})}
        answer = self.http(GatewayRequest(method, target, tuple(sent.items()), content))
        return ApiAnswer(answer.status, answer.headers, answer.body.decode())

    def first_key(self) -> dict[str, Any]:
        """Make an admin's key as one does on a fresh deployment: by invoking the api function itself, past the gateway."""
        request = GatewayRequest("POST", "/api/keys", (), json.dumps({"name": "first", "role": "admin"}).encode())
        event = lambda_events.http_api(request, f"local-{next(self._requests)}", self.clock.now())
        made: dict[str, Any] = json.loads(self.doors("api", lambda_events.signed(event, "local"))["body"])
        return made

    def run_until_idle(self, limit: timedelta = A_LONG_TIME) -> None:
        """Deliver, and skip time, until nothing waits any more. Raises `Stuck` when something still waits after `limit`."""
        self._run(lambda: False, limit)
        if self.pump.next_moment() is not None:
            raise Stuck(f"something still waits after {limit} of the clock; next at {self.pump.next_moment()}")

    def run_until(self, reached: Callable[[], bool], limit: timedelta = A_LONG_TIME) -> None:
        """Deliver, and skip time, until `reached()`, which is asked after every round. Raises `Stuck` when it can't be."""
        self._run(reached, limit)
        if not reached():
            raise Stuck(f"nothing is left to do within {limit} of the clock, and it was not reached. Failures: {self.failures}")

    def _run(self, reached: Callable[[], bool], limit: timedelta) -> None:
        until = self.clock.now() + limit
        while not reached() and (self.pump.step() or self.pump.skip(until)):
            pass

    def _pass_by(self, length: timedelta) -> None:
        end = self.clock.now() + length
        self._run(lambda: False, length)
        self.clock.skip_to(end)

    def run_for(self, time: timedelta) -> None:
        """Let so much of the clock's time pass, and deliver what comes in it: also what only recurring schedules bring."""
        until = self.clock.now() + time
        while self.pump.step() or self.pump.skip(until, recurring=True):
            pass
        self.clock.skip_to(until)

    def start_pump(self) -> None:
        """Deliver in the background, until this cloud is closed. Closing waits for what is running: it must not outlive moto."""
        self.pauses.lasting = True
        thread = threading.Thread(target=self.pump.run, args=(self._busy,), name="pump", daemon=True)
        thread.start()
        self._open.callback(thread.join)
        self._open.callback(self.pump.stop)

    def _busy(self) -> bool:
        return self.doors.running > self.pauses.waiting


@contextmanager
def engine_doors(clock: LocalClock, pauses: Pauses | None = None) -> Iterator[Mapping[str, Handler]]:
    """Give the engine's doors under `clock`, callers waiting by `pauses`; afterwards the engine lives by the system's time again."""
    from fermata import bootstrap

    bootstrap.use_clock(clock, pauses)
    try:
        yield doors.load()
    finally:
        bootstrap.use_clock(RealClock())
