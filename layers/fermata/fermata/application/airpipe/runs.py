"""What is told about a run of an interface: its answer when it is over, otherwise where it stands (air pipe reference, 5.3)."""

import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime

from fermata.application.engine import Engine
from fermata.domain.airpipe.caller import CallerRequest
from fermata.domain.airpipe.compiling import ABOUT, PREFIX
from fermata.domain.airpipe.envelope import FIRST_ERROR, JSON_TYPE, Answer
from fermata.domain.airpipe.json_text import parsed
from fermata.domain.airpipe.steps import step_of
from fermata.domain.executions import Task, Workflow
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.tasks.registry import type_of

RUN_PATHS = (2, 3)  # runs/<id> and runs/<id>/result


def look_up(engine: Engine, request: CallerRequest, prefix: str) -> Answer | None:
    """Return what `/runs/<id>` and `/runs/<id>/result` answer; None when there is no such run."""
    parts = request.path.strip("/").split("/")
    if request.method.upper() != "GET" or len(parts) not in RUN_PATHS or (len(parts) == RUN_PATHS[1] and parts[2] != "result"):
        return None
    run = _run(engine, parts[1])
    if run is None:
        return None
    if len(parts) == RUN_PATHS[1]:
        return answer_of(engine, run.workflow_id, prefix)
    return Answer(200, JSON_TYPE, json.dumps(document(engine, run, prefix), ensure_ascii=False))


def answer_of(engine: Engine, workflow_id: str, prefix: str) -> Answer:
    """Return the answer of a run that is over; of one that is not, where to ask for it."""
    run = _run(engine, workflow_id)
    if run is None:
        return Answer(404, JSON_TYPE, json.dumps({"error": "not_found", "message": "There is no such run"}))
    if run.status.terminal:
        return _ended(run)
    told = document(engine, run, prefix)
    headers = {**JSON_TYPE, "location": told["status_url"]}
    due = told.get("resume_at")
    if due:
        seconds = (datetime.fromisoformat(due) - engine.clock.now()).total_seconds()
        headers["retry-after"] = str(max(1, math.ceil(seconds)))
    return Answer(202, headers, json.dumps(told, ensure_ascii=False))


def document(engine: Engine, run: Workflow, prefix: str) -> dict[str, Json]:
    """Return what a run's own address tells."""
    about = engine.definitions.pinned(run.definition_key).metadata.get(ABOUT, {})
    told = {"run_id": run.workflow_id, "status": "running", "config": about.get("config"), "interface": about.get("interface")}
    place = {"status_url": f"{prefix}/runs/{run.workflow_id}"}
    if not run.status.terminal:
        return {**told, **_standing(engine, run), **place}
    ended = _ended(run)
    status = "completed" if ended.http_code < FIRST_ERROR else "failed"
    return {**told, "status": status, **place, "http_code": ended.http_code, "result": _content(ended)}


def _run(engine: Engine, workflow_id: str) -> Workflow | None:
    """Return a run of an interface; others are not to be seen from here."""
    stored = engine.executions.load(workflow_id) if 0 < len(workflow_id) <= 100 else None  # noqa: PLR2004 - far longer than an id
    return stored.workflow if stored is not None and stored.workflow.workflow_name.startswith(PREFIX) else None


def _ended(run: Workflow) -> Answer:
    output: JsonObject = run.output
    if isinstance(output.get("httpCode"), int):
        return Answer(output["httpCode"], output.get("headers") or {}, output.get("body") or "")
    reason = run.reason_for_incompletion or f"the run was ended by an operator: {run.status}"
    return Answer(500, JSON_TYPE, json.dumps({"error": "run_ended", "message": reason}))


def _content(answer: Answer) -> Json:
    try:
        return parsed(answer.body) if answer.body else None
    except ValueError:
        return answer.body


def _standing(engine: Engine, run: Workflow) -> dict[str, Json]:
    """Return which action a run stands at, how often that was tried, and when it goes on."""
    task = _open_task(engine.executions.all_tasks(run.workflow_id))
    if task is None:
        return {}
    now = engine.clock.now()
    told: dict[str, Json] = {"action": task.task_reference_name}
    state = engine.polls.states([task.task_id]).get(task.task_id) if type_of(task).keeps_polls else None
    due = state.due if state is not None and state.polls_made else task.due if state is None else None
    if state is not None:
        told |= {"attempt": state.polls_made, "attempts": step_of(task.input).action.retry.attempts}
    if due is not None and due > now:
        told |= {"status": "suspended", "resume_at": due.astimezone(UTC).isoformat().replace("+00:00", "Z")}
    return told


def _open_task(tasks: Sequence[Task]) -> Task | None:
    return next((task for task in tasks if not task.status.terminal), None)
