"""What many runs wait for, for lists of runs: a route of our own."""

from fermata.api.http import Reply, Request, Route, answer
from fermata.application.engine import Engine
from fermata.application.overviews import overviews
from fermata.domain.errors import InvalidRequest
from fermata.wire.overviews import overview_to_json

MOST = 100  # runs at once: as many as a page of a list shows


def waiting(engine: Engine, request: Request) -> Reply:
    """Answer with a list in the order of the ids: null for a run that nobody knows or that is over."""
    wanted = request.words("workflowId")
    if not 0 < len(wanted) <= MOST:
        raise InvalidRequest(f"The query parameter workflowId names between 1 and {MOST} runs, not {len(wanted)}: repeat it for each.")
    found = overviews(engine, wanted)
    return answer([overview_to_json(found[each]) if each in found else None for each in wanted])


ROUTES = (Route("GET", "/api/executions/waiting", waiting),)
