"""The whole engine in memory on a virtual clock: real decider, real evaluator, scripted vendor, messages delivered by hand."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.adapters.memory.scripted_http import ScriptedHttpClient
from fermata.application import look
from fermata.application.register import register_workflow
from fermata.application.start import StartWorkflow, start
from fermata.application.views import ExecutionView
from fermata.domain.executions import Task
from fermata.domain.http_exchange import HttpAnswer, HttpRequest, HttpResult
from fermata.domain.limits import Limits
from fermata.rehearsal.stage import Props, Stage
from fermata.wire.definitions import workflow_definition_from_json

from tests.support.recount import CountedExecutions

EXAMPLES = Path(__file__).parents[2] / "examples"
_EVALUATOR = ChildEvaluator()  # one worker for all tests of a process: it holds nothing between two calls


def answer(body: Any = None, status: int = 200, headers: dict[str, str] | None = None, reason: str = "OK") -> HttpAnswer:
    """Return an answer with a JSON body (None: no body at all; bytes: as they are)."""
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": "application/json", **(headers or {})}
    return HttpAnswer(status, reason, {name: (value,) for name, value in given.items()}, content, timedelta(milliseconds=5))


class Vendor:
    """A scripted vendor: `POST` starts a job; each other request gets the next of `answers`, then the last one for ever."""

    def __init__(self, *answers: HttpResult) -> None:
        self.answers = list(answers)
        self.polls = 0

    def __call__(self, request: HttpRequest) -> HttpResult:
        if request.method == "POST":
            return answer({"jobId": "job-1", "state": "QUEUED"}, 202)
        self.polls += 1
        return self.answers[min(self.polls, len(self.answers)) - 1]


class World(Stage):
    """A stage with a scripted vendor, and short words for what tests do. `run()` delivers until nothing waits."""

    executions_of = CountedExecutions  # every decision of every engine test is recounted

    def __init__(
        self,
        script: Callable[[HttpRequest], HttpResult] = lambda request: answer({}),
        *,
        secrets: dict[str, str] | None = None,
        environment: dict[str, str] | None = None,
        min_poll_interval: timedelta = timedelta(seconds=60),
        limits: Limits | None = None,
    ) -> None:
        self.http = ScriptedHttpClient(script)
        super().__init__(self.http, _EVALUATOR, Props(secrets or {}, environment or {}, min_poll_interval, limits or Limits()))

    def register(self, definition: dict[str, Any]) -> str:
        parsed = workflow_definition_from_json(definition)
        register_workflow(self.engine, parsed, overwrite=True)
        return parsed.name

    def start(self, definition: dict[str, Any] | None = None, given: dict[str, Any] | None = None, *, name: str = "") -> str:
        chosen = self.register(definition) if definition else name
        return start(self.engine, StartWorkflow(chosen, input=given or {}))

    def view(self, workflow_id: str) -> ExecutionView:
        return look.execution(self.engine, workflow_id, include_tasks=True)

    def tasks(self, workflow_id: str) -> dict[str, Task]:
        """Return the newest attempt of each reference name."""
        return {view.task.task_reference_name: view.task for view in self.view(workflow_id).tasks}

    def outcome(self, definition: dict[str, Any], given: dict[str, Any] | None = None) -> ExecutionView:
        """Register, start, run to the end and return what came of it."""
        workflow_id = self.start(definition, given)
        self.run()
        return self.view(workflow_id)


def main_job() -> dict[str, Any]:
    """Return the definition the project is about."""
    loaded: dict[str, Any] = json.loads((EXAMPLES / "http-poll-external-job.json").read_text())
    return loaded


def workflow(*tasks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a definition of these steps."""
    return {"name": "flow", "version": 1, "schemaVersion": 2, "tasks": list(tasks), **fields}


def step(kind: str, reference: str, given: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """Return one step of a definition."""
    return {"name": reference, "taskReferenceName": reference, "type": kind, "inputParameters": given or {}, **fields}
