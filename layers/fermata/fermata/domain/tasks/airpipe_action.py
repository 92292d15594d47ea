"""What the types of Air Pipe's actions share: how a step begins, and how its record is read (decision 0022)."""

from collections.abc import Callable, Iterable, Mapping

from fermata.domain.airpipe.attempts import reason_of, status_of
from fermata.domain.airpipe.interpolation import Sight
from fermata.domain.airpipe.passing import Over, begun
from fermata.domain.airpipe.steps import ActionStep, sight_of, step_of, wrong_with
from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.json_value import JsonObject
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.task_type import Finished, Poll, Start, Starting


def begin(starting: Starting, runs: Callable[[ActionStep, Mapping[str, JsonObject], Sight], Start]) -> Start:
    """Begin an action: where its gates let it, by `runs`; otherwise it is over at once."""
    try:
        step = step_of(starting.task.input)
    except ValueError as error:
        return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason=str(error))

    def sight(results: Mapping[str, JsonObject]) -> Sight:
        return sight_of(step, starting.workflow.input, results, starting.evaluate, starting.task.task_id, starting.now)

    match begun(step, starting.output_of, sight):
        case Over(entry):
            return finished(entry)
        case found:
            return runs(step, found.results, sight(found.results))


def by_a_door(starting: Starting) -> Start:
    """Begin an action whose tries a door makes: each is a poll. What it needs of the run goes along."""

    def polls(step: ActionStep, results: Mapping[str, JsonObject], sight: Sight) -> Start:  # noqa: ARG001 - see `begin`
        run = starting.workflow
        return Poll({"request": run.input.get("request"), "results": dict(results), "depth": run.depth})

    return begin(starting, polls)


def finished(entry: JsonObject) -> Finished:
    """Return the end of a task whose output is this entry."""
    return Finished(status_of(entry), {"timeMs": 0, **entry}, reason_of(entry))


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield what is wrong with a step that somebody wrote by hand."""
    yield from wrong_with(task.input_parameters, f"{path}.inputParameters")
