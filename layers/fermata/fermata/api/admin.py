"""What an operator asks of the server itself (reference 2.8 and 2.10): settings, open tasks, repair, names of secrets and variables."""

from fermata import VERSION
from fermata.api.http import Reply, Request, Route, answer, words
from fermata.api.tasks import task_body
from fermata.application import find_tasks, look
from fermata.application.engine import Engine
from fermata.application.find_tasks import TaskQuery
from fermata.application.repair import repair
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.searching.conditions import Both, OneOf
from fermata.domain.searching.fields import TASK_FIELDS
from fermata.domain.status import TaskStatus

DEFAULT_COUNT = 100
MAX_COUNT = 5000  # as of a search
_OPEN = tuple(status for status in TaskStatus if not status.terminal)


def config(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    """Answer with what the operator decided, by the names of the settings. Names and places of AWS resources are no part of it."""
    return answer(
        {
            "version": VERSION,
            "FERMATA_MIN_POLL_INTERVAL_SECONDS": round(engine.min_poll_interval.total_seconds()),
            "FERMATA_LONGEST_HOLD_SECONDS": round(engine.longest_hold.total_seconds()),
            "FERMATA_WORKER_HOLD_MILLISECONDS": round(engine.worker_hold.total_seconds() * 1000),
            "FERMATA_MAX_LOOP_ITERATIONS": engine.limits.max_loop_iterations,
            "FERMATA_MAX_FORK_BRANCHES": engine.limits.max_fork_branches,
            "FERMATA_MAX_SUB_WORKFLOW_DEPTH": engine.limits.max_sub_workflow_depth,
            "FERMATA_EXPRESSION_ENV_ALLOW": ",".join(sorted(engine.environment)),
        }
    )


def open_tasks(engine: Engine, request: Request) -> Reply:
    """Answer with the tasks of a type that are not over, newest run first. Bounded as a search for them is."""
    start, count = request.number("start", 0), request.number("count", DEFAULT_COUNT)
    if start < 0 or not 0 <= count <= MAX_COUNT:
        raise InvalidRequest(f"start must not be negative, and count must be between 0 and {MAX_COUNT}.")
    condition = Both(OneOf(TASK_FIELDS["taskType"], (request.path["type"],)), OneOf(TASK_FIELDS["status"], _OPEN))
    page = find_tasks.find_tasks(engine, TaskQuery(condition, (), start, count))
    return answer([task_body(view) for view in page.found])


def requeue(engine: Engine, request: Request) -> Reply:
    repair(engine, request.path["workflow"])
    return words(f"true.{request.path['workflow']}")


def verify_and_repair(engine: Engine, request: Request) -> Reply:
    return words("true" if repair(engine, request.path["workflow"]) else "false")


def event_queues(engine: Engine, request: Request) -> Reply:
    """Answer with the queue behind each event that a handler listens to. How much lies in one is not known here: null."""
    verbose = request.flag("verbose", default=False)
    names = {handler.event: handler.event.partition(":")[2] for handler in engine.event_handlers.all() if handler.active}
    return answer({event: {name: None} if verbose else name for event, name in names.items()})


def secrets(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    return answer(look.secret_names(engine))


def environment(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    return answer([{"name": name, "value": value} for name, value in sorted(engine.environment.items())])


def variable(engine: Engine, request: Request) -> Reply:
    name = request.path["key"]
    if name not in engine.environment:
        raise NotFound(f"There is no environment variable {name} that expressions may read.")
    return words(engine.environment[name])


ROUTES = (
    Route("GET", "/api/admin/config", config),
    Route("GET", "/api/admin/task/<type>", open_tasks),
    Route("POST", "/api/admin/sweep/requeue/<workflow>", requeue),
    Route("POST", "/api/admin/consistency/verifyAndRepair/<workflow>", verify_and_repair),
    Route("GET", "/api/admin/queues", event_queues),
    Route("GET", "/api/secrets", secrets),
    Route("GET", "/api/environment", environment),
    Route("GET", "/api/environment/<key>", variable),
)
