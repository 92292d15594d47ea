"""Make one poll of a task: of an HTTP_POLL, or a try of an action that polls as one does.

A poll that answers "not yet" reads the hot row, makes the request, arms the next alarm and writes the hot row: nothing else.
The alarm comes before the write, because a stale alarm is harmless and a missing one is not.
"""

import json
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from fermata.application.advance import advance_if_there
from fermata.application.engine import Engine
from fermata.application.revealing import Revealing
from fermata.domain.airpipe.names import TRIED
from fermata.domain.http_exchange import FailureKind, HttpFailure, HttpResult
from fermata.domain.http_rules import BadRequestFields, build_request, request_fields
from fermata.domain.messages import PollDue
from fermata.domain.poll_admission import Due, Early, Stale, admit
from fermata.domain.poll_conclusion import Again, Looked, Over, Step, conclude
from fermata.domain.poll_reading import Accepted, PollError, Reading, condition_subject, read, verdict
from fermata.domain.poll_settings import PollSettings, poll_settings
from fermata.domain.polling import Poll, PollDecision
from fermata.domain.questions import Evaluate, Language


def poll_task(engine: Engine, message: PollDue) -> None:
    """Make the poll if it is the next one and due; a stale, early or repeated delivery changes nothing."""
    poll = engine.polls.load(message.task_id)
    if poll is None:
        return
    match admit(poll.state, message, engine.clock.now()):
        case Stale():
            if not poll.state.is_open:
                advance_if_there(engine, message.workflow_id, message.task_id)
        case Early():
            pass  # another alarm of this poll comes at its due moment: it was armed before that moment was stored
        case Due():
            _make(engine, poll)
        case _ as never:
            assert_never(never)


def _make(engine: Engine, poll: Poll) -> None:
    step, done = _try_once(engine, poll) if poll.spec.task_type in TRIED else _look_once(engine, poll)
    match step:
        case Again(after):
            following = PollDue(after.workflow_id, after.task_id, after.polls_made + 1)
            engine.alarms.send(following, after.due, done)
            engine.polls.advance(after)
        case Over(after, outcome):
            engine.executions.record(outcome)
            engine.polls.advance(after)
            advance_if_there(engine, after.workflow_id, after.task_id)
        case _ as never:
            assert_never(never)


def _try_once(engine: Engine, poll: Poll) -> tuple[Step, datetime]:
    from fermata.application.airpipe.trying import make_try  # with the first try: most polls are none

    return make_try(engine, poll)


def _look_once(engine: Engine, poll: Poll) -> tuple[Step, datetime]:
    settings = poll_settings(poll.spec.input, engine.min_poll_interval)
    looked = _look(engine, settings, poll)
    return conclude(settings, poll.spec, poll.state, looked), looked.done


def _look(engine: Engine, settings: PollSettings, poll: Poll) -> Looked:
    fired = engine.clock.now()
    result = _request(engine, poll)
    reading: Reading = read(settings, result)
    judged: PollDecision | None = None
    if isinstance(reading, Accepted) and settings.condition is not None:
        subject = json.dumps(condition_subject(poll.spec, reading.response))
        value = verdict(engine.evaluator.evaluate(Evaluate(Language.JAVASCRIPT, settings.condition, subject)))
        if isinstance(value, PollError):
            reading = replace(value, kept=reading.kept)
        else:
            judged = value
    return Looked(fired, engine.clock.now(), result, reading, judged)


def _request(engine: Engine, poll: Poll) -> HttpResult:
    secrets = Revealing(engine.secrets.get)
    try:
        fields = request_fields(secrets.fill(poll.spec.input))
        result = engine.http.send(build_request(fields, default_method="GET"))
    except BadRequestFields as error:
        result = HttpFailure(FailureKind.BAD_URI, str(error))
    return replace(result, reason=secrets.hide(result.reason)) if isinstance(result, HttpFailure) else result
