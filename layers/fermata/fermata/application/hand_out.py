"""Hand waiting SIMPLE attempts to the workers that ask for them."""

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta

from fermata.application import look
from fermata.application.engine import Engine
from fermata.application.views import TaskView
from fermata.application.waiting import NO_TIME, bounded, wait_for
from fermata.domain.errors import InvalidRequest, TransientError
from fermata.domain.messages import WakeTask
from fermata.domain.work_limiting import is_full, is_limited, let_through, without_finished
from fermata.domain.working import MAX_NAME_BYTES, WorkerQueue, WorkItem, deadline, handed_to, is_too_long, postponed

MAX_BATCH = 100  # attempts in one answer: each is a whole task, and an answer holds 6 MB
SPARE = 10  # may be looked at beyond what is asked for: other workers take some of them at the same moment
RACE_TRIES = 8  # each lost race means that another worker's change went through


def hand_out(engine: Engine, queue: WorkerQueue, count: int) -> list[TaskView]:
    """Return up to `count` attempts that are now this worker's (`queue.worker_id`) alone.

    Not safe to repeat: each call takes others. What an answer that gets lost had taken comes back by its response timeout.
    """
    check_queue(queue)
    now = engine.clock.now()
    engine.work.note_poll(WorkerQueue(queue.task_type, queue.domain, queue.worker_id, now))
    wanted, handed = min(count, MAX_BATCH), list[TaskView]()
    for item in engine.work.waiting(queue.name, now, wanted + SPARE, at_once=wanted) if wanted > 0 else ():
        view = _handed(engine, item, queue.worker_id)
        handed += [view] if view else []
        if len(handed) >= wanted:
            break
    return handed


def wait_for_work(engine: Engine, queue: WorkerQueue, count: int, at_most: timedelta) -> list[TaskView]:
    """Like `hand_out`, but wait for work when there is none; what there is goes out as soon as it is there, if less than `count`.

    It waits `at_most`, or the operator's `worker_hold` where that is longer.
    """
    asked = max(at_most, engine.worker_hold) if count > 0 else NO_TIME
    return wait_for(engine, lambda: hand_out(engine, queue, count) or None, bounded(engine, asked)) or []


def check_queue(queue: WorkerQueue) -> None:
    """Raise `InvalidRequest` for names that no queue can have."""
    if is_too_long(queue.task_type) or is_too_long(queue.domain):
        raise InvalidRequest(f"A task type and a domain have at most {MAX_NAME_BYTES} bytes each.")


def moved(engine: Engine, item: WorkItem, change: Callable[[WorkItem], WorkItem]) -> WorkItem | None:
    """Change the row of an open attempt, whoever else moves it; return it as it is then, None when it is closed.

    Raises `TransientError` when others kept winning.
    """
    standing: WorkItem | None = item
    for _ in range(RACE_TRIES):
        if standing is None or not standing.is_open:
            return None
        after = change(standing)
        if engine.work.move(after):
            return after
        standing = engine.work.load([item.key]).get(item.task_id)
    raise TransientError(f"Task {item.task_id} is being changed by others; try again")


def arm(engine: Engine, item: WorkItem) -> None:
    """Set an alarm for the deadline of the attempt as it now stands."""
    limit = deadline(item)
    if limit is not None:
        engine.alarms.send(WakeTask(item.workflow_id, item.task_id), limit.at, engine.clock.now())


def _handed(engine: Engine, item: WorkItem, worker_id: str | None) -> TaskView | None:
    """Take one attempt. The alarm comes first: a stale one is harmless and a missing one is not."""
    now = engine.clock.now()
    if is_limited(item) and not _let_through(engine, item):
        engine.work.move(postponed(item, now))
        return None
    after = handed_to(item, worker_id, now)
    arm(engine, after)
    if not engine.work.move(after):
        return None
    view = look.for_worker(engine, after)
    if view is None:  # its run is over, and only this row did not know yet
        engine.work.close(item.key)
    return view


def _let_through(engine: Engine, item: WorkItem) -> bool:
    """Ask the limits of the task definition, and note the hand-out there before it happens."""
    for _ in range(RACE_TRIES):
        now = engine.clock.now()
        limiter = engine.work.limiter(item.task_name)
        if is_full(limiter, item):
            limiter = without_finished(limiter, engine.work.load([holder.key for holder in limiter.holders]), now)
        after = let_through(limiter, item, now)
        if after is None:
            return False
        if engine.work.limit(after):
            return True
    return False


def sizes(engine: Engine, queues: Collection[WorkerQueue] | None = None) -> dict[str, int]:
    """Return how many attempts wait in each of these queues, or in all, by the queues' names. Raises `InvalidRequest`."""
    asked = engine.work.queues() if queues is None else queues
    for queue in asked:
        check_queue(queue)
    return dict(engine.work.sizes([queue.name for queue in asked]))


def waiting_of(engine: Engine, task_type: str) -> int:
    """Return how many attempts of a task type wait, in all domains together. Raises `InvalidRequest`."""
    check_queue(WorkerQueue(task_type))
    return sum(sizes(engine, [queue for queue in engine.work.queues() if queue.task_type == task_type]).values())


def poll_data(engine: Engine, task_type: str | None = None) -> Sequence[WorkerQueue]:
    """Return the queues that workers have polled, of one task type or all."""
    return [queue for queue in engine.work.queues() if queue.last_poll and task_type in (None, queue.task_type)]
