"""Answer a request for an interface: start its run, carry it as far as the caller can wait, and say how it ended or where it is parked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from fermata.application.airpipe.in_hand import InHand
from fermata.application.airpipe.interfaces import find, registered
from fermata.application.airpipe.runs import answer_of, look_up
from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.application.start import StartWorkflow, start
from fermata.domain.airpipe import admission
from fermata.domain.airpipe.actions import Action, longest_try
from fermata.domain.airpipe.caller import BadBody, CallerRequest, kept
from fermata.domain.airpipe.compiling import ABOUT
from fermata.domain.airpipe.describing import described
from fermata.domain.airpipe.envelope import JSON_TYPE, Answer
from fermata.domain.airpipe.interpolation import Sight
from fermata.domain.airpipe.names import ANSWER
from fermata.domain.airpipe.retrying import IN_PROCESS_BUDGET
from fermata.domain.airpipe.routing import Matched, NoRoute, WrongMethod
from fermata.domain.airpipe.steps import step_of
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.messages import PollDue
from fermata.domain.tasks.registry import type_of

LONGEST_HOLD = timedelta(seconds=20)  # nothing more is begun in a caller's time after that
ANSWERED_WITHIN = timedelta(seconds=27)  # the door lives for 29 s: a try that may take longer is left to others
RUNS = "/runs/"
DOCUMENT = "/docs.json"


@dataclass(frozen=True)
class Place:
    """Where interfaces are served. `prefix` stands before every path. `durable` false: nothing can be parked."""

    prefix: str = ""
    durable: bool = True


def target(engine: Engine, method: str, path: str) -> WorkflowDefinition | None:
    """Return the interface that a path is for, by whatever method; None for a path of nobody."""
    match find(engine, method, path):
        case Matched(definition, _):
            return definition
        case WrongMethod(allowed):
            return target(engine, allowed[0], path)
        case _:
            return None


def respond(engine: Engine, request: CallerRequest, place: Place, *, run_id: str | None = None, depth: int = 0) -> Answer:
    """Answer a request. Safe to repeat only with a `run_id`: the run that is there then is carried on."""
    if not request.path.startswith(f"{place.prefix}/"):
        return refused(404, "not_found", f"Nothing answers {request.path}")
    asked = replace(request, path=request.path.removeprefix(place.prefix))
    if asked.path.startswith(RUNS):
        return look_up(engine, asked, place.prefix) or refused(404, "not_found", "There is no such run, or it is kept no longer")
    if asked.path == DOCUMENT and asked.method.upper() == "GET":
        abouts = [definition.metadata[ABOUT] for definition in registered(engine)]
        return Answer(200, JSON_TYPE, json.dumps(described(abouts, place.prefix), ensure_ascii=False))
    match find(engine, asked.method, asked.path):
        case Matched(definition, params):
            return _admitted(engine, asked, definition, params, place, run_id=run_id, depth=depth)
        case WrongMethod(allowed):
            answer = refused(405, "method_not_allowed", f"{asked.path} answers {', '.join(allowed)}")
            return replace(answer, headers={**answer.headers, "allow": ", ".join(allowed)})
        case NoRoute():
            return refused(404, "not_found", f"No interface answers {asked.path}")


def only_looks(request: CallerRequest, place: Place) -> bool:
    """Tell whether a request asks for a run or for the document. Any other is for an interface, and starts a run."""
    path = request.path.removeprefix(place.prefix)
    return path.startswith(RUNS) or (path == DOCUMENT and request.method.upper() == "GET")


def refused(code: int, error: str, message: str, **more: Json) -> Answer:
    """Return an answer that no interface gave."""
    return Answer(code, JSON_TYPE, json.dumps({"error": error, **more, "message": message}))


def _admitted(  # noqa: PLR0913 - a request with where it goes and what stands for it
    engine: Engine,
    request: CallerRequest,
    definition: WorkflowDefinition,
    params: Mapping[str, str],
    place: Place,
    *,
    run_id: str | None,
    depth: int,
) -> Answer:
    """Refuse what cannot work before anything runs, then run."""
    about: JsonObject = definition.metadata[ABOUT]
    actions = [step_of(task.input_parameters).action for task in definition.tasks if task.type != ANSWER]
    wait = None if place.durable else admission.unstorable_wait(actions)
    if wait is not None:
        return _no_store(about, *wait)
    try:
        document = kept(request, params, about.get("reads") or {})
    except BadBody as error:
        return refused(400, "bad_request", str(error))
    sight = Sight(document, {}, {}, engine.evaluator.evaluate, lambda: "")
    wrong = admission.refusal(actions, sight)
    if wrong:
        return refused(400, "bad_request", wrong)
    workflow_id = run_id or engine.ids.new_workflow_id()
    there = run_id is not None and engine.executions.load(workflow_id) is not None
    starting = StartWorkflow(definition.name, definition.version, {"request": document}, workflow_id=workflow_id, depth=depth)
    starting = replace(starting, created_by=request.by or None)
    _run(engine, starting, _hold(actions, depth), there=there)
    return answer_of(engine, workflow_id, place.prefix)


def _hold(actions: Sequence[Action], depth: int) -> timedelta:
    """Return how long after the request something may still be begun. A call between interfaces is as long as the try that makes it."""
    return LONGEST_HOLD if depth else min(LONGEST_HOLD, ANSWERED_WITHIN - longest_try(actions))


def _no_store(about: JsonObject, action: Action, wait: timedelta) -> Answer:
    longest, budget = (int(each.total_seconds() * 1000) for each in (wait, IN_PROCESS_BUDGET))
    message = f"retry may wait {longest} ms in total, the in-process limit is {budget} ms, and no durable run store is configured"
    return refused(503, "durable_store_required", message, interface=about["interface"], action=action.name)


def _run(engine: Engine, request: StartWorkflow, hold: timedelta, *, there: bool) -> None:
    """Start the run, or find it `there`, and carry its messages out as long as the caller can wait for that."""
    hand = InHand(request.workflow_id or "", engine.alarms, IN_PROCESS_BUDGET)
    own = replace(engine, alarms=hand)
    began = engine.clock.now()
    workflow_id = start(own, request)
    if there:
        _take_over(own, workflow_id)
    waited = timedelta(0)
    while (found := hand.next()) is not None:
        at, message = found
        wait = max(at - engine.clock.now(), timedelta(0))
        if waited + wait > IN_PROCESS_BUDGET or engine.clock.now() + wait - began > hold:
            engine.alarms.send(message, at, engine.clock.now())
            break
        if wait:
            engine.pauses.pause(wait)
            waited += wait
        deliver(own, message)
    hand.let_go(engine.clock.now())


def _take_over(engine: Engine, workflow_id: str) -> None:
    """Carry on a run that was there already: what a crash left due is due here."""
    tasks = [task for task in engine.executions.all_tasks(workflow_id) if not task.status.terminal and type_of(task).keeps_polls]
    now = engine.clock.now()
    for state in engine.polls.states([task.task_id for task in tasks]).values():
        engine.alarms.send(PollDue(workflow_id, state.task_id, state.polls_made + 1), state.due, now)
