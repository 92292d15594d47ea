"""Make one try of an Air Pipe action: an HTTP request, a call to an interface of our own, or a state operation."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from fermata.application.airpipe import own_calls
from fermata.application.engine import Engine
from fermata.application.revealing import Revealing
from fermata.domain.airpipe import entries
from fermata.domain.airpipe.actions import HttpSource, StateOperation, StateSource
from fermata.domain.airpipe.attempts import Made, concluded
from fermata.domain.airpipe.interpolation import Sight, Unresolved
from fermata.domain.airpipe.names import HTTP, STATE
from fermata.domain.airpipe.records import MEMORY
from fermata.domain.airpipe.requesting import Tried, request_of, tried
from fermata.domain.airpipe.state import NotDone, filled, memory_of, operated, record_key
from fermata.domain.airpipe.steps import ActionStep, derived_id, sight_of, step_of
from fermata.domain.errors import EngineBug, TransientError
from fermata.domain.json_value import JsonObject
from fermata.domain.poll_conclusion import Step
from fermata.domain.polling import Poll

STATE_TRIES = 8  # each lost race means another operation went through


def make_try(engine: Engine, poll: Poll) -> tuple[Step, datetime]:
    """Make the next try and return what it leads to, and when it was done. A repeat makes the same ids, keys and stamps."""
    step, number = step_of(poll.spec.input), poll.state.polls_made + 1
    secrets = Revealing(engine.secrets.get)
    sight = replace(_sight(engine, step, poll, number), secret=secrets.look_up)
    fired = engine.clock.now()
    found = _TRIES[poll.spec.task_type](engine, step, poll, sight)
    if not found.again or number >= step.action.retry.attempts:
        found = replace(found, entry=entries.answered(step.action, found.entry, sight))
    done = engine.clock.now()
    made = Made(fired, done, replace(found, entry=_hidden(secrets, found.entry)))
    return concluded(step.action, poll.spec, poll.state, made), done


def _sight(engine: Engine, step: ActionStep, poll: Poll, number: int) -> Sight:
    context = poll.spec.context
    return sight_of(
        step, context, context.get("results", {}), engine.evaluator.evaluate, f"{poll.spec.task_id}/{number}", engine.clock.now()
    )


def _request(engine: Engine, step: ActionStep, poll: Poll, sight: Sight) -> Tried:
    source = step.action.source
    if not isinstance(source, HttpSource):
        raise EngineBug(f"{step.action.name} is no http action")
    try:
        request = request_of(source, sight, derived_id(poll.spec.task_id, 0))
    except Unresolved as error:
        return Tried(entries.failed(step.action, str(error), by_caller=error.by_caller))
    result = own_calls.called(engine, request, poll) or engine.http.send(request)
    return tried(step.action, source, sight, result)


def _operation(engine: Engine, step: ActionStep, poll: Poll, sight: Sight) -> Tried:
    source = step.action.source
    if not isinstance(source, StateSource):
        raise EngineBug(f"{step.action.name} is no state action")
    try:
        data = _operated(engine, filled(source, sight), f"{poll.spec.task_id}/{poll.state.polls_made + 1}")
    except Unresolved as error:
        return Tried(entries.failed(step.action, str(error), by_caller=error.by_caller), again=True)
    except NotDone as error:
        return Tried(entries.failed(step.action, str(error)), again=True)
    entry = entries.judged(step.action, data, sight)
    return Tried(entry, again=entry["result"] == entries.FAILED)


def _operated(engine: Engine, source: StateSource, stamp: str) -> JsonObject:
    """Carry out an operation once, however often it is delivered, and whatever others did to the key in between.

    A record's own stamp tells of the operation that wrote it last. Who overwrites it puts down first what that one said.
    Raises `TransientError` when other operations on the key kept winning: the delivery comes again.
    """
    for _ in range(STATE_TRIES):
        stored, now = engine.state.load(source.namespace, record_key(source)), engine.clock.now()
        others = stored is not None and stored.stamp != stamp and source.operation is not StateOperation.GET
        said = engine.state.load(MEMORY, stamp) if others else None
        if said is not None:
            return dict(said.value)
        done = operated(source, stored, now, stamp)
        if done.write is None:
            return done.data
        if stored is not None:
            engine.state.put(memory_of(stored, now), None)
        if engine.state.put(done.write, stored.stamp if stored else None):
            return done.data
    raise TransientError(f"The state key {source.key} is being changed by others; try again")


def _hidden(secrets: Revealing, entry: JsonObject) -> JsonObject:
    """Return the entry with no secret in what it says about a failure."""
    told = dict(entry)
    if "error" in told:
        told["error"] = secrets.hide(told["error"])
    if "errors" in told:
        told["errors"] = [secrets.hide(each) for each in told["errors"]]
    return told


_TRIES: Mapping[str, Callable[[Engine, ActionStep, Poll, Sight], Tried]] = {HTTP: _request, STATE: _operation}
