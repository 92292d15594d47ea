"""A process that dies at each boundary of an Air Pipe run: the sweeper alone brings it to the same end, and nothing counts twice."""

import json
from datetime import timedelta

from fermata.application.airpipe.interfaces import publish
from fermata.application.airpipe.serving import Place, respond
from fermata.application.deliver import deliver
from fermata.application.sweep import sweep
from fermata.domain.airpipe.caller import CallerRequest
from fermata.domain.status import WorkflowStatus
from fermata.ports import WorkflowQuery

from tests.support.airpipe import pack
from tests.support.chaos import Crash, CrashPlan, breaking
from tests.support.world import World, answer

HOOK = json.dumps({"input": {}, "notify_url": "https://example.com/hook"}).encode()


class Vendor:
    """Jobs that are done at the second look; requests by method and address, with their keys."""

    def __init__(self):
        self.keys: dict[str, set[str]] = {}
        self._looked = 0

    def __call__(self, request):
        if request.method == "POST":
            self.keys.setdefault(request.uri, set()).add(request.headers["Idempotency-Key"])
            return answer({"id": "j1"})
        self._looked += 1
        return answer({"id": "j1", "status": "completed" if self._looked > 1 else "processing"})


class Dying:
    """One run of an interface in which the `delivery`-th thing that happens (0: the request) dies at a boundary."""

    def __init__(self, file, path, body=b""):
        self.vendor, self.plan = Vendor(), CrashPlan()
        self.world = World(self.vendor, secrets={"JOB_API_BASE": "https://api.test", "JOB_API_KEY": "k"})
        self.engine = breaking(self.world.engine, self.plan)
        publish(self.world.engine, pack(file))
        self._due = ()
        self._request = CallerRequest("POST", path, {}, {}, body)
        self._name = f"airpipe:POST:{path.strip('/').replace('/', ':')}"

    def play(self, delivery, boundary):
        """Return whether there was such a boundary."""
        for number in range(delivery + 1):
            self.plan.boundary = boundary if number == delivery else None
            try:
                if number == 0:
                    respond(self.engine, self._request, Place())
                elif not self._next():
                    return False
            except Crash:
                self._recover()
                return True
        return False

    def _next(self):
        self._due = due = tuple(self.world.next_due())
        for message in due:
            deliver(self.engine, message)
        return bool(due)

    def _recover(self):
        """Hand the messages out again, as their queue would; whatever the request left behind is the sweeper's."""
        self.plan.boundary = None
        for message in self._due:
            deliver(self.world.engine, message)
        for _ in range(12):
            self.world.run()
            if all(run.status.terminal for run in self.runs()):
                return
            self.world.clock.move_to(self.world.clock.now() + timedelta(minutes=3))
            sweep(self.world.engine)
        raise AssertionError("the run never ended")

    def runs(self, name=None):
        return list(self.world.executions.search(WorkflowQuery(workflow_type=name)).workflows)

    @property
    def run(self):
        return next(iter(self.runs(self._name)), None)


def _everywhere(make, deliveries, stride=1):
    """Yield each case after its crash and recovery."""
    for delivery in range(deliveries):
        for boundary in range(0, 400, stride):
            case = make()
            if not case.play(delivery, boundary):
                break
            yield case


def test_the_demo_ends_with_three_polls_wherever_a_process_dies():
    cases = 0
    for case in _everywhere(lambda: Dying("demo.yml", "/demo/run"), 2, stride=5):
        cases += 1
        if case.run is not None:  # else it died before anything was stored, and the caller got no answer
            assert case.run.status is WorkflowStatus.COMPLETED, case.run.output
            assert json.loads(case.run.output["body"])["data"]["Result"]["data"]["polls"] == 3
            assert len(case.runs("airpipe:POST:demo:jobs:submit")) == 1
            assert len(case.runs("airpipe:GET:demo:jobs:status")) == 3
    assert cases > 20, "there are more boundaries than that"


def test_a_job_is_submitted_and_its_webhook_sent_under_one_key_each_wherever_a_process_dies():
    cases = 0
    for case in _everywhere(lambda: Dying("jobs.yml", "/jobs/run-and-notify", HOOK), 2, stride=2):
        cases += 1
        if case.run is not None:
            assert case.run.status is WorkflowStatus.COMPLETED, case.run.output
            assert {uri: len(keys) for uri, keys in case.vendor.keys.items()} == {"https://api.test/jobs": 1, "https://example.com/hook": 1}
    assert cases > 20, "there are more boundaries than that"
