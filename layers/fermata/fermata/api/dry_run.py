"""Trying a definition with a scripted vendor on a virtual clock. Ours: Conductor has no such path."""

from time import perf_counter
from typing import TYPE_CHECKING

from fermata.api.http import Reply, Request, Route, answer
from fermata.api.workflows import workflow_body
from fermata.application.engine import Engine
from fermata.application.start import wanted
from fermata.domain.json_value import Json
from fermata.wire.awaited import waiting_to_json
from fermata.wire.costing import cost_to_json
from fermata.wire.dry_run import dry_run_from_json
from fermata.wire.executions import iso, ledger_to_json
from fermata.wire.records import epoch_ms

if TYPE_CHECKING:
    from fermata.rehearsal.dry_run import DryRun


def run_dry(engine: Engine, request: Request) -> Reply:
    from fermata.rehearsal.dry_run import dry_run  # with the first dry run: most requests are none

    asked = dry_run_from_json(request.json())
    return answer(_body(dry_run(engine, wanted(asked), asked.answers, perf_counter)))


def _body(found: "DryRun") -> Json:
    waiting = waiting_to_json(found.waiting)
    began = epoch_ms(found.view.workflow.create_time)
    events = [
        {
            "atMs": epoch_ms(each.at) - began,
            "time": iso(each.at),
            "what": each.what.value,
            "detail": each.detail,
            **({"taskReferenceName": each.task_reference_name} if each.task_reference_name else {}),
            **({"workflowId": each.workflow_id} if each.workflow_id else {}),
        }
        for each in found.events
    ]
    return {
        "workflow": {**workflow_body(found.view), **({"waitingFor": waiting} if waiting else {})},
        "events": events,
        "requests": found.requests,
        "polls": {name: ledger_to_json(entries) for name, entries in found.polls.items()},
        "elapsedSeconds": found.elapsed.total_seconds(),
        "cost": cost_to_json(found.cost),
        "ending": found.ending.value,
        "endedBy": found.why,
    }


ROUTES = (Route("POST", "/api/workflow/dry-run", run_dry),)
