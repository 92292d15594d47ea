"""How a golden case is read, played and compared. A case is a folder: a definition, a story, and what is expected of them.

The story says what happens around the run: its input, what the vendor answers, what people do and when. The expectation names the
end of the run and every task attempt in the order of scheduling; of an attempt only what is written is compared. Or it names the
places that registration refuses.
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from fermata.domain.errors import InvalidRequest
from fermata_testing import Rehearsal, RunResult, Vendor, answer, no_answer

HERE = Path(__file__).parent
FILES = ("definition", "story", "expected")


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


def play(definition: Any, story: Any) -> tuple[Rehearsal, RunResult]:
    """Return the run as the story leaves it."""
    run = Rehearsal(
        definition,
        _vendor(story.get("vendor", ())),
        secrets=story.get("secrets", {}),
        task_definitions=story.get("taskDefinitions", ()),
        others=story.get("others", ()),
    )
    run.start(story.get("input"))
    for event in story.get("events", ()):
        # An event happens so many seconds after the one before it; "when it waits": when only somebody outside can move the run.
        result = run.run() if event["after"] == "when it waits" else run.run_until(timedelta(seconds=event["after"]))
        _do(run, event)
    result = run.run()
    return run, result


def told(run: Rehearsal, result: RunResult) -> dict[str, Any]:
    """Return everything that an expectation can name."""
    ids = {each.task_id: f"<{each.ref}>" for each in result.attempts} | {run.workflow_id: "<run>"}
    told = {
        "status": result.status,
        "output": result.output,
        "reason": result.reason,
        "elapsedSeconds": result.elapsed.total_seconds(),
        "variables": result.variables,
        "waiting": result.waiting,
        "requests": [f"{request.method} {request.uri}" for request in result.requests],
        "others": [{"name": each.name, "status": each.status, "input": each.input, "output": each.output} for each in run.others],
        "tasks": [
            {
                "ref": each.ref,
                "type": each.type,
                "status": each.status,
                "attempt": each.attempt,
                "input": each.input,
                "output": each.output,
                "reason": each.reason,
                "pollCount": each.poll_count,
                "decisions": [str(poll.decision) for poll in each.polls],
            }
            for each in result.attempts
        ],
    }
    text = json.dumps(told)
    for known, name in ids.items():
        text = text.replace(known, name)
    named: dict[str, Any] = json.loads(text)
    return named


def narrowed(told: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Return the part of what is told that the expectation names, task by task."""
    shown = {key: told[key] for key in expected}
    for other, wanted_keys in zip(shown.get("others", ()), expected.get("others", ()), strict=False):
        other["input"] = {key: value for key, value in other["input"].items() if key in wanted_keys["input"]}
    if "tasks" in expected:
        wanted = [*expected["tasks"], *[{}] * len(told["tasks"])]
        shown["tasks"] = [{key: task[key] for key in keys or task} for task, keys in zip(told["tasks"], wanted, strict=False)]
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


def _do(run: Rehearsal, event: Any) -> None:
    match event["do"]:
        case "complete":
            run.complete(event["ref"], event.get("output"))
        case "fail":
            run.fail(event["ref"], event["reason"], event.get("output"))
        case "terminate":
            run.terminate(event.get("reason"))
        case "pause" | "resume" | "retry" | "restart" as verb:
            getattr(run, verb)()
        case other:
            raise ValueError(f"a story cannot {other}")
