"""What runs cost. Ours: Conductor has no such path."""

from fermata.api.http import Reply, Request, Route, answer
from fermata.application import look
from fermata.application.engine import Engine
from fermata.application.views import ExecutionView
from fermata.domain.costing import CostEstimate, estimate
from fermata.wire.costing import cost_to_json


def get_cost(engine: Engine, request: Request) -> Reply:
    return answer(cost_to_json(cost_of(engine, look.execution(engine, request.path["id"], include_tasks=True))))


def cost_of(engine: Engine, view: ExecutionView) -> CostEstimate:
    """Return what a run, seen with its tasks, has cost so far."""
    return estimate(view.workflow, (each.task for each in view.tasks), engine.min_poll_interval)


ROUTES = (Route("GET", "/api/workflow/<id>/cost", get_cost),)
