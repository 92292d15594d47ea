"""Answers about a run that are not sent again while nothing has moved: `ETag` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2)."""

import re
from collections.abc import Callable
from dataclasses import replace

from fermata.api.http import Reply, Request, answer
from fermata.application import freshness, look
from fermata.application.engine import Engine
from fermata.application.views import ExecutionView
from fermata.domain.json_value import Json

NOT_MODIFIED = 304
_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_MOST_TAGS = 10  # a caller has seen few answers of one address


def conditional(engine: Engine, request: Request, shown: Callable[[ExecutionView], Json], *, include_tasks: bool) -> Reply:
    """Answer with what `shown` makes of the run, or that nothing has moved. With `summarize` the view comes without big payloads.

    Raises `NotFound`.
    """
    workflow_id, summarize = request.path["id"], request.flag("summarize", default=False)
    tags = _TAG.findall(request.headers.get("if-none-match", ""))[:_MOST_TAGS]
    standing = freshness.is_as_seen(engine, workflow_id, tags, include_tasks=include_tasks)
    if standing is not None:
        return Reply(NOT_MODIFIED, headers=_headers(standing))
    looked_at = look.summary if summarize else look.execution
    view = looked_at(engine, workflow_id, include_tasks=include_tasks)
    seen = freshness.seen(engine, view, include_tasks=include_tasks)
    return replace(answer(shown(view)), headers=_headers(seen) if seen else {})


def _headers(seen: str) -> dict[str, str]:
    # Weak: when somebody last asked at a workers' queue is shown and makes no other answer of it.
    return {"ETag": f'W/"{seen}"', "Cache-Control": "private, no-cache"}
