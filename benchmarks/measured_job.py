"""A run over the real AWS adapters, on moto and a virtual clock, with everything it asks of AWS counted and priced in units."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fermata.adapters.dynamodb import keys
from fermata.application.deliver import deliver
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.messages import Message, PollDue

from tests.support.moto_world import Calls, MotoWorld, fresh_aws, new_client, shared_client, watch
from tests.support.world import Vendor, answer, main_job

# The tests work out DynamoDB's units; loaded by name because they carry no types.
_metering: Any = import_module("tests.dynamodb.metering")

RUNNING = answer({"jobId": "8d1f2c", "state": "RUNNING", "progress": 40})
SUCCEEDED = answer({"jobId": "8d1f2c", "state": "SUCCEEDED", "result": {"rows": 4211, "artifact": "s3://exports/8d1f2c.csv"}})
GIVEN: Mapping[str, Any] = {"jobApiUrl": "https://jobs.vendor.example/api/v2", "dataset": "orders-2026-01"}
HEADERS = {"Accept": "application/json", "X-Client-Id": "reporting-pipeline-eu-7"}
CONDITION = (
    "(function(){ var job = $.output.response.body; var over = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED'];"
    " return over.indexOf(job.state) >= 0; })();"
)
LEDGER_PACK = 12  # polls: one in so many also packs the ledger


@dataclass(frozen=True)
class Cost:
    """What one step asked of AWS: the calls in order, DynamoDB's units (of batch reads: none counted), bytes of all bodies."""

    calls: tuple[str, ...]
    read_units: float
    write_units: int
    sent_bytes: int
    received_bytes: int


@dataclass(frozen=True)
class MeasuredRun:
    """`world` holds the run; each step is what happened since the step before."""

    world: MotoWorld
    calls: Calls
    meter: Any

    def cost(self) -> Cost:
        """Return what was asked of AWS since the last time."""
        made, bill = self.calls.take(), self.meter.take()
        return Cost(
            calls=tuple(call.name for call in made),
            read_units=sum(bill.reads),
            write_units=sum(bill.writes),
            sent_bytes=sum(call.sent_bytes for call in made),
            received_bytes=sum(call.received_bytes for call in made),
        )

    def next_step(self) -> tuple[Message, Cost] | None:
        """Deliver the message that comes next, at its moment. Return None when nothing waits."""
        at = self.world.alarms.next_at()
        if at is None:
            return None
        self.world.clock.move_to(at)
        [message, *others] = self.world.alarms.take_due(self.world.clock.now())
        assert not others, "one run waits for one thing at a time here"
        self.cost()
        deliver(self.world.engine, message)
        return message, self.cost()

    def next_poll(self) -> Cost:
        """Go on to the next poll and return what it asked of AWS."""
        while (step := self.next_step()) is not None:
            if isinstance(step[0], PollDue):
                return step[1]
        raise AssertionError("no poll waits")

    def poll_rows_bytes(self, task_id: str) -> tuple[int, int]:
        """Return the sizes of a poll's hot row and of its specification."""
        hot, spec = self.world.item(keys.hot(task_id)), self.world.item(keys.spec(task_id))
        return _metering.item_size(hot), _metering.item_size(spec)


@contextmanager
def measured(script: Callable[[HttpRequest], HttpResult]) -> Iterator[MeasuredRun]:
    """Begin an AWS and a world on it, whose clients are its own and counted."""
    with fresh_aws():
        world = MotoWorld(script, client=new_client)
        meter = _metering.Meter(world.clients["dynamodb"], shared_client("dynamodb"), world.table_name)
        yield MeasuredRun(world, watch(world.clients.values()), meter)


def polling_job() -> dict[str, Any]:
    """Return the main job with requests as people write them, and no limit in the way of thousands of polls."""
    definition = {**main_job(), "timeoutSeconds": 0}
    request = definition["tasks"][1]["inputParameters"]["http_request"]
    request |= {"headers": HEADERS, "terminationCondition": CONDITION, "maxPollCount": 100_000}
    return definition


@contextmanager
def polled(polls_made: int) -> Iterator[tuple[MeasuredRun, str]]:
    """Yield a run whose job is still running after so many polls, and its polling task's id. Below 24 all of them are made."""
    with measured(Vendor(RUNNING)) as run:
        workflow_id = run.world.start(polling_job(), dict(GIVEN))
        run.next_step()  # the submission
        made = polls_made if polls_made < 2 * LEDGER_PACK else polls_made % LEDGER_PACK + LEDGER_PACK
        for _ in range(made):
            run.next_poll()
        task_id = run.world.tasks(workflow_id)["await_job"].task_id
        if polls_made > made:
            run.world.leap(task_id, polls_made - made)
        run.cost()
        yield run, task_id


def main_job_steps(polls: int = 4) -> Iterator[tuple[str, Cost]]:
    """Yield the steps of a whole main job, registered before: start, submit, each poll (the last one finds it done), what is left."""
    with measured(Vendor(*[RUNNING] * (polls - 1), SUCCEEDED)) as run:
        definition = {**polling_job(), "timeoutSeconds": main_job()["timeoutSeconds"]}
        name = run.world.register(definition)
        run.cost()
        run.world.start(name=name, given=dict(GIVEN))
        yield "start", run.cost()
        while (step := run.next_step()) is not None:
            message, cost = step
            yield _label(message, polls), cost


def _label(message: Message, polls: int) -> str:
    if isinstance(message, PollDue):
        return f"poll {message.poll}" if message.poll < polls else "finish"
    return "submit" if type(message).__name__ == "RunTask" else "stale wake-up"
