"""How a golden case is read, played and compared. A case is a folder: a definition, a story, and what is expected of them.

The story says what happens around the run: how it is started, what the vendor answers, what people and workers do and when. With
"registered" that definition is registered and the case's own is sent along with the start. The expectation names the end of the run,
what the doers were answered, and every task attempt in the order of scheduling; of an attempt only what is written is compared. Or it
names the places that registration refuses, or the kind of error that refuses the start.
"""

import json
from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path
from typing import Any

from fermata.application import look, report
from fermata.application.views import TaskView
from fermata.domain.errors import InvalidRequest, RequestError
from fermata.domain.working import domain_of
from fermata.wire.definitions import workflow_definition_from_json
from fermata_testing import Rehearsal, RunResult, TaskResult, Vendor, answer, no_answer

from tests.golden.acting import act

HERE = Path(__file__).parent
FILES = ("definition", "story", "expected")


@dataclass(frozen=True)
class Played:
    """A story at its end. `answers`: what each event's doer was answered."""

    run: Rehearsal
    result: RunResult
    answers: list[Any]


def cases() -> list[str]:
    return sorted(path.parent.name for path in HERE.glob("*/story.json"))


def load(case: str) -> tuple[Any, Any, Any]:
    """Return definition, story and expectation."""
    definition, story, expected = (json.loads((HERE / case / f"{name}.json").read_text()) for name in FILES)
    return definition, story, expected


def refusal(definition: Any) -> list[str]:
    """Return the places that registration refuses."""
    try:
        Rehearsal(definition)
    except InvalidRequest as refused:
        return [violation.path for violation in refused.violations]
    return []


def refused_start(definition: Any, story: Any) -> str | None:
    """Return the kind of error that refuses the start."""
    try:
        _start(definition, story)
    except RequestError as refused:
        return type(refused).__name__
    return None


def play(definition: Any, story: Any) -> Played:
    """Play the story to its end."""
    run, answers = _start(definition, story), []
    for event in story.get("events", ()):
        # An event happens so many seconds after the one before it; "when it waits": when only somebody outside can move the run.
        _ = run.run() if event["after"] == "when it waits" else run.run_until(timedelta(seconds=event["after"]))
        answers.append(act(run, event))
    return Played(run, run.run(), answers)


def _start(definition: Any, story: Any) -> Rehearsal:
    run = Rehearsal(
        story.get("registered", definition),
        _vendor(story.get("vendor", ())),
        secrets=story.get("secrets", {}),
        task_definitions=story.get("taskDefinitions", ()),
        others=story.get("others", ()),
    )
    more = story.get("start", {})
    run.start(
        story.get("input"),
        correlation_id=more.get("correlationId"),
        priority=more.get("priority", 0),
        task_to_domain=more.get("taskToDomain", {}),
        definition=workflow_definition_from_json(definition) if "registered" in story else None,
    )
    return run


def told(played: Played) -> dict[str, Any]:
    """Return everything that an expectation can name."""
    run, result = played.run, played.result
    views = look.execution(run.stage.engine, run.workflow_id, include_tasks=True).tasks
    ids = {each.task_id: f"<{each.ref}>" for each in result.attempts} | {run.workflow_id: "<run>"}
    told = {
        "status": result.status,
        "output": result.output,
        "reason": result.reason,
        "elapsedSeconds": result.elapsed.total_seconds(),
        "variables": result.variables,
        "waiting": result.waiting,
        "requests": [f"{request.method} {request.uri}" for request in result.requests],
        "events": [{"name": event.name, "payload": event.payload} for event in result.events],
        "others": [{"name": each.name, "status": each.status, "input": each.input, "output": each.output} for each in run.others],
        "answers": played.answers,
        "tasks": [_attempt(run, view, attempt) for view, attempt in zip(views, result.attempts, strict=True)],
    }
    text = json.dumps(told)
    for known, name in ids.items():
        text = text.replace(known, name)
    named: dict[str, Any] = json.loads(text)
    return named


def _attempt(run: Rehearsal, view: TaskView, told: TaskResult) -> dict[str, Any]:
    task = view.task
    return {
        "ref": told.ref,
        "type": told.type,
        "name": task.task_def_name,
        "status": told.status,
        "attempt": told.attempt,
        "input": told.input,
        "output": told.output,
        "reason": told.reason,
        "pollCount": told.poll_count,
        "decisions": [str(poll.decision) for poll in told.polls],
        "worker": task.worker_id,
        "domain": domain_of(task.queue, task.task_type) if task.queue else None,
        "logs": [entry.log for entry in report.read_log(run.stage.engine, task.task_id)],
        "callbackAfterSeconds": task.callback_after_seconds,
        "retried": task.retried,
        "iteration": task.iteration,
    }


def narrowed(told: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Return the part of what is told that the expectation names, task by task."""
    shown = {key: told[key] for key in expected}
    if "others" in expected:
        shown["others"] = [_other(other, wanted) for other, wanted in zip_longest(told["others"], expected["others"], fillvalue={})]
    if "tasks" in expected:
        wanted = [*expected["tasks"], *[{}] * len(told["tasks"])]
        shown["tasks"] = [{key: task[key] for key in keys or task} for task, keys in zip(told["tasks"], wanted, strict=False)]
    return shown


def _other(other: Any, wanted: Any) -> dict[str, Any]:
    """Return what is expected of another run: of it and of its input only the keys that are named."""
    shown = {key: other.get(key) for key in wanted or other}
    if "input" in wanted:
        shown["input"] = {key: value for key, value in other.get("input", {}).items() if key in wanted["input"]}
    return shown


def _vendor(scripts: Any) -> Vendor:
    vendor = Vendor()
    for script in scripts:
        vendor.on(script.get("method", "*"), script.get("uri", "*"), *map(_answer, script["answers"]))
    return vendor


def _answer(told: Any) -> Any:
    if "noAnswer" in told:
        return no_answer(told["noAnswer"])
    takes = timedelta(seconds=told.get("takesSeconds", 0))
    headers, later = told.get("headers"), told.get("retryAfter")
    return answer(told.get("body"), told.get("status", 200), headers=headers, retry_after=later, takes=takes)
