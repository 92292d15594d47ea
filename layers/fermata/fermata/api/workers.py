"""The workers' side of the API: asking for tasks, reporting on them, their logs and queues (reference 2.5)."""

from datetime import timedelta

from fermata.api.http import Reply, Request, Route, answer, done, nothing, words
from fermata.api.tasks import task_body
from fermata.api.workflows import workflow_body
from fermata.application import hand_out, look, report
from fermata.application.engine import Engine
from fermata.application.external import what_was_left
from fermata.application.report import TaskResult
from fermata.domain.errors import InvalidRequest
from fermata.domain.executions import Task
from fermata.domain.status import TaskStatus
from fermata.domain.working import LogEntry, WorkerQueue, domain_of
from fermata.wire import work as wire
from fermata.wire.records import moment

SHARD = "a"  # the only shard of a queue that is shown
DEFAULT_TIMEOUT_MS = 100
MAX_TIMEOUT_MS = 5000  # of a long poll (reference 5.5)


def poll(engine: Engine, request: Request) -> Reply:
    handed = hand_out.hand_out(engine, _queue(request), 1)
    return answer(task_body(handed[0])) if handed else nothing()


def poll_batch(engine: Engine, request: Request) -> Reply:
    """Answer as soon as there is something, with an empty list when the time is over."""
    timeout = max(0, request.number("timeout", DEFAULT_TIMEOUT_MS))  # a negative one does not wait, and may be no span of time
    if timeout > MAX_TIMEOUT_MS:
        raise InvalidRequest(f"Long Poll Timeout value cannot be more than {MAX_TIMEOUT_MS} milliseconds, not {timeout}.")
    queue, count = _queue(request), request.number("count", 1)
    return answer([task_body(view) for view in hand_out.wait_for_work(engine, queue, count, timedelta(milliseconds=timeout))])


def update(engine: Engine, request: Request) -> Reply:
    result = _result(engine, request)
    report.report(engine, result, request.order())
    return words(result.task_id)


def update_and_poll(engine: Engine, request: Request) -> Reply:
    """Take a result and answer with the next task of the same queue for the same worker."""
    result = _result(engine, request)
    task = report.report(engine, result, request.order())
    ends = task.status.terminal or result.status is not TaskStatus.IN_PROGRESS
    if result.extend_lease or not ends or task.queue is None:
        return nothing()
    handed = hand_out.hand_out(engine, _queue_of(task, result.worker_id), 1)
    return answer(task_body(handed[0])) if handed else nothing()


def update_by_reference(engine: Engine, request: Request) -> Reply:
    return words(_by_reference(engine, request))


def update_by_reference_sync(engine: Engine, request: Request) -> Reply:
    _by_reference(engine, request)
    return answer(workflow_body(look.execution(engine, request.path["workflow"], include_tasks=True)))


def write_log(engine: Engine, request: Request) -> Reply:
    report.write_log(engine, request.path["id"], request.body.decode(errors="replace"))
    return done()


def read_log(engine: Engine, request: Request) -> Reply:
    entries = report.read_log(engine, request.path["id"])
    return answer(wire.logs_to_json(request.path["id"], entries)) if entries else nothing()


def queue_sizes(engine: Engine, request: Request) -> Reply:
    return answer(dict(hand_out.sizes(engine, [WorkerQueue(name) for name in request.words("taskType")])))


def queue_size(engine: Engine, request: Request) -> Reply:
    task_type = request.word("taskType")
    if task_type is None:
        raise InvalidRequest("The query parameter taskType is missing.")
    queue = WorkerQueue(task_type, request.word("domain"))
    return answer(hand_out.sizes(engine, [queue])[queue.name])


def all_queue_sizes(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    return answer(dict(sorted(hand_out.sizes(engine).items())))


def all_queue_sizes_verbose(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    """Answer in the shape of a sharded queue. What a worker holds is in no queue, so nothing is unacknowledged."""
    sizes = sorted(hand_out.sizes(engine).items())
    return answer({name: {SHARD: {"size": size, "uacked": 0}} for name, size in sizes})


def requeue(engine: Engine, request: Request) -> Reply:
    """Answer how many tasks of the type wait, in whatever domain. A waiting task is its queue's entry: there is none to put back."""
    return words(str(hand_out.waiting_of(engine, request.path["type"])))


def poll_data(engine: Engine, request: Request) -> Reply:
    return answer(wire.poll_data_to_json(hand_out.poll_data(engine, request.word("taskType") or "")))


def all_poll_data(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    return answer(wire.poll_data_to_json(hand_out.poll_data(engine)))


def _queue(request: Request) -> WorkerQueue:
    return WorkerQueue(request.path["type"], request.word("domain"), _worker_id(request))


def _worker_id(request: Request) -> str | None:
    """Return who asks. Conductor's name of the parameter is all lower-case; people write it as it is written elsewhere."""
    return request.word("workerid") or request.word("workerId")


def _queue_of(task: Task, worker_id: str | None) -> WorkerQueue:
    return WorkerQueue(task.task_type, domain_of(task.queue or "", task.task_type), worker_id)


def _by_reference(engine: Engine, request: Request) -> str:
    path = request.path
    status, worker_id = _status(path["status"]), _worker_id(request)
    output, order = request.json_object(), request.order()
    return report.report_by_reference(engine, path["workflow"], path["reference"], status, output, worker_id, order=order)


def _result(engine: Engine, request: Request) -> TaskResult:
    body, now = wire.task_result_from_json(request.json()), engine.clock.now()
    apart = body.external_output_payload_storage_path
    logs = [LogEntry(entry.log, moment(entry.created_time) if entry.created_time > 0 else now) for entry in body.logs]
    return TaskResult(
        workflow_id=body.workflow_instance_id,
        task_id=body.task_id,
        status=_status(body.status),
        output=what_was_left(engine, apart, "externalOutputPayloadStoragePath") if apart else body.output_data,
        reason=body.reason_for_incompletion,
        callback_after_seconds=body.callback_after_seconds,
        worker_id=body.worker_id,
        logs=logs,
        extend_lease=body.extend_lease,
    )


def _status(name: str) -> TaskStatus:
    try:
        return TaskStatus(name)
    except ValueError:
        raise InvalidRequest(f"status must be one of {', '.join(report.REPORTABLE)}, not {name[:40]}") from None


ROUTES = (
    Route("GET", "/api/tasks/poll/<type>", poll),
    Route("GET", "/api/tasks/poll/batch/<type>", poll_batch),
    Route("POST", "/api/tasks", update),
    Route("POST", "/api/tasks/update-v2", update_and_poll),
    Route("GET", "/api/tasks/queue/sizes", queue_sizes),
    Route("GET", "/api/tasks/queue/size", queue_size),
    Route("GET", "/api/tasks/queue/all", all_queue_sizes),
    Route("GET", "/api/tasks/queue/all/verbose", all_queue_sizes_verbose),
    Route("POST", "/api/tasks/queue/requeue/<type>", requeue),
    Route("GET", "/api/tasks/queue/polldata", poll_data),
    Route("GET", "/api/tasks/queue/polldata/all", all_poll_data),
    Route("POST", "/api/tasks/<id>/log", write_log),
    Route("GET", "/api/tasks/<id>/log", read_log),
    Route("POST", "/api/tasks/<workflow>/<reference>/<status>", update_by_reference),
    Route("POST", "/api/tasks/<workflow>/<reference>/<status>/sync", update_by_reference_sync),
)
