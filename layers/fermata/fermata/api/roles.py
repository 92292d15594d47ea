"""The one table of who may call what: every route with the least role it takes. A route that is not here is closed to everybody."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from fermata.domain.access import Role


class Anybody(StrEnum):
    """Needs no token: what tells that a server is there, and what gives tokens. The template's open routes are these."""

    OPEN = "open"


Need: TypeAlias = Role | Anybody

OPEN = Anybody.OPEN
READER, OPERATOR, ADMIN = Role.READER, Role.OPERATOR, Role.ADMIN

# Air Pipe's door (`api/airpipe.py`) has the paths of its users' files. Every call of an interface starts a run.
TO_CALL_AN_INTERFACE, TO_LOOK_AT_ITS_RUNS = OPERATOR, READER

_WORKFLOW, _TASK = "/api/metadata/workflow", "/api/metadata/taskdefs"

_OPEN = (
    "GET /health",
    "GET /api/health",
    "POST /api/token",
    # The same on every server, and in the repository: it tells nothing of this one.
    "GET /docs",
    "GET /openapi.json",
    "GET /api/openapi.json",
)

# Looks, and changes nothing.
_READER = (
    "GET /api/token/userInfo",
    "GET /api/version",
    f"GET {_WORKFLOW}",
    f"GET {_WORKFLOW}/names",
    f"GET {_WORKFLOW}/names-and-versions",
    f"GET {_WORKFLOW}/latest-versions",
    f"GET {_WORKFLOW}/<name>",
    f"GET {_WORKFLOW}/<name>/versions",
    f"GET {_TASK}",
    f"GET {_TASK}/<name>",
    "GET /api/workflow/search",
    "GET /api/workflow/search-v2",
    "GET /api/workflow/running/<name>",
    "GET /api/workflow/<name>/correlated/<correlation>",
    "POST /api/workflow/<name>/correlated",
    "POST /api/workflow/correlated/batch",
    "POST /api/workflow/bulk/search",
    *(f"GET /api/{of}/{spelled}" for of in ("workflow", "tasks") for spelled in ("externalstoragelocation", "external-storage-location")),
    "GET /api/workflow/<id>",
    "GET /api/workflow/<id>/status",
    "GET /api/workflow/<id>/tasks",
    "GET /api/workflow/<id>/operations",
    "GET /api/workflow/<id>/cost",
    "GET /api/workflow/search-by-tasks",
    "GET /api/workflow/search-by-tasks-v2",
    "GET /api/tasks/search",
    "GET /api/tasks/search-v2",
    "GET /api/tasks/<id>",
    "GET /api/tasks/<id>/polls",
    "GET /api/tasks/<id>/log",
    "GET /api/executions/waiting",
    "GET /api/tasks/queue/sizes",
    "GET /api/tasks/queue/size",
    "GET /api/tasks/queue/all",
    "GET /api/tasks/queue/all/verbose",
    "GET /api/tasks/queue/polldata",
    "GET /api/tasks/queue/polldata/all",
    "GET /api/scheduler/nextFewSchedules",
    "GET /api/scheduler/schedules",
    "GET /api/scheduler/schedules/search",
    "GET /api/scheduler/schedules/<name>",
    "GET /api/scheduler/search/executions",
    "GET /api/event",
    "GET /api/event/<event>",
    "GET /api/event/executions/<event>",
    "GET /api/queue/",
    "GET /api/queue/size",
    "GET /api/admin/task/<type>",
    "GET /api/admin/queues",
    "GET /api/airpipe/interfaces",
    "GET /api/secrets",  # names
    "GET /api/environment",  # what every definition may read
    "GET /api/environment/<key>",
)

# Starts and steers runs, and works for them. A worker's poll is a GET that takes the task away from all others.
_OPERATOR = (
    f"POST {_WORKFLOW}/validate",
    "POST /api/workflow",  # with a definition in its body: an admin's, see `workflows.admit_definition`
    "POST /api/workflow/test",
    "POST /api/workflow/dry-run",
    "POST /api/workflow/<name>",
    "POST /api/workflow/execute/<name>/<version>",
    "DELETE /api/workflow/<id>",
    "PUT /api/workflow/<id>/pause",
    "PUT /api/workflow/<id>/resume",
    "POST /api/workflow/<id>/restart",
    "POST /api/workflow/<id>/retry",
    "POST /api/workflow/<id>/rerun",
    "PUT /api/workflow/<id>/skiptask/<ref>",
    "POST /api/workflow/<id>/resetcallbacks",
    "PUT /api/workflow/decide/<id>",
    "POST /api/workflow/<id>/variables",
    "PUT /api/workflow/bulk/pause",
    "PUT /api/workflow/bulk/resume",
    "POST /api/workflow/bulk/restart",
    "POST /api/workflow/bulk/retry",
    "POST /api/workflow/bulk/terminate",
    "GET /api/tasks/poll/<type>",
    "GET /api/tasks/poll/batch/<type>",
    "POST /api/tasks",
    "POST /api/tasks/update-v2",
    "POST /api/tasks/queue/requeue/<type>",
    "POST /api/tasks/<id>/log",
    "POST /api/tasks/<id>/poll-now",
    "POST /api/tasks/<workflow>/<reference>/<status>",
    "POST /api/tasks/<workflow>/<reference>/<status>/sync",
    "POST /api/tasks/<workflow>/<status>/signal",
    "POST /api/tasks/<workflow>/<status>/signal/sync",
    "POST /api/queue/update/<workflow>/<reference>/<status>",
    "POST /api/queue/update/<workflow>/task/<task>/<status>",
    "POST /api/admin/sweep/requeue/<workflow>",
    "POST /api/admin/consistency/verifyAndRepair/<workflow>",
)

# Decides what the system does from now on, and what it forgets.
_ADMIN = (
    f"POST {_WORKFLOW}",
    f"PUT {_WORKFLOW}",
    f"DELETE {_WORKFLOW}/<name>/<version>",
    f"POST {_TASK}",
    f"PUT {_TASK}",
    f"DELETE {_TASK}/<name>",
    "DELETE /api/workflow/<id>/remove",
    "DELETE /api/workflow/<id>/terminate-remove",
    "DELETE /api/workflow/bulk/remove",
    "DELETE /api/workflow/bulk/terminate-remove",
    "POST /api/scheduler/schedules",
    "DELETE /api/scheduler/schedules/<name>",
    "PUT /api/scheduler/schedules/<name>/pause",
    "PUT /api/scheduler/schedules/<name>/resume",
    "GET /api/scheduler/schedules/<name>/pause",  # as some SDKs send it
    "GET /api/scheduler/schedules/<name>/resume",
    "GET /api/scheduler/admin/requeue",
    "POST /api/scheduler/admin/requeue",
    "GET /api/scheduler/admin/pause",
    "POST /api/scheduler/admin/pause",
    "GET /api/scheduler/admin/resume",
    "POST /api/scheduler/admin/resume",
    "PUT /api/scheduler/bulk/pause",
    "PUT /api/scheduler/bulk/resume",
    "POST /api/event",
    "PUT /api/event",
    "DELETE /api/event/<name>",
    "PUT /api/airpipe/configurations",
    "DELETE /api/airpipe/configurations/<name>",
    "GET /api/admin/config",
    "GET /api/keys",
    "POST /api/keys",
    "GET /api/keys/<id>",
    "POST /api/keys/<id>/rotate",
    "PUT /api/keys/<id>/disable",
    "PUT /api/keys/<id>/enable",
    "DELETE /api/keys/<id>",
)

# By `VERB rule`, as in the route.
NEEDS: Mapping[str, Need] = {
    **dict.fromkeys(_OPEN, OPEN),
    **dict.fromkeys(_READER, READER),
    **dict.fromkeys(_OPERATOR, OPERATOR),
    **dict.fromkeys(_ADMIN, ADMIN),
}
EVERY_ENTRY = (*_OPEN, *_READER, *_OPERATOR, *_ADMIN)  # a test looks for one that stands twice


def need_of(method: str, rule: str) -> Need | None:
    """Return what a route takes, None when nobody has decided: then nobody may call it."""
    return NEEDS.get(f"{method} {rule}")
