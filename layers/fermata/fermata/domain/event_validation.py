"""What registration refuses of an event handler, all of it at once, by field."""

from collections.abc import Iterator

from fermata.domain.errors import Violation
from fermata.domain.event_handlers import (
    ActionType,
    EventAction,
    EventHandler,
    StartWorkflowAction,
    TaskAction,
    TerminateWorkflowAction,
    UpdateVariablesAction,
)
from fermata.domain.sinks import NoSink, read_event

EVALUATORS = ("javascript", "graaljs")
MAX_ACTIONS = 50  # one delivery carries them all out

AnyAction = StartWorkflowAction | TaskAction | TerminateWorkflowAction | UpdateVariablesAction


def handler_violations(handler: EventHandler) -> tuple[Violation, ...]:
    """Return everything wrong with a handler but the syntax of its condition."""
    return tuple(_of_handler(handler)) + tuple(
        violation for index, action in enumerate(handler.actions) for violation in _of_action(action, f"actions[{index}]")
    )


def details(action: EventAction) -> AnyAction | None:
    """Return what an action is to do: the field that it names. None when that is absent or the name is none of ours."""
    named = action.action if action.action in {known.value for known in ActionType} else ""
    found: AnyAction | None = getattr(action, named) if named else None
    return found


def _of_handler(handler: EventHandler) -> Iterator[Violation]:
    if not handler.name.strip():
        yield Violation("name", "name must not be empty")
    if not handler.event.strip():
        yield Violation("event", "event must not be empty")
    else:
        try:
            read_event(handler.event)
        except NoSink:
            message = "event must be conductor:<workflow>:<name>, sqs:<queue name> or eventbridge:<bus>"
            yield Violation("event", message, handler.event[:100])
    if not handler.actions:
        yield Violation("actions", "actions must hold at least one action")
    if len(handler.actions) > MAX_ACTIONS:
        yield Violation("actions", f"actions must hold at most {MAX_ACTIONS}", len(handler.actions))
    if handler.evaluator_type and handler.evaluator_type not in EVALUATORS:
        yield Violation("evaluatorType", f"evaluatorType must be one of {', '.join(EVALUATORS)}", handler.evaluator_type[:100])


def _of_action(action: EventAction, path: str) -> Iterator[Violation]:
    if action.action not in list(ActionType):
        yield Violation(f"{path}.action", f"action must be one of {', '.join(ActionType)}", action.action[:100])
        return
    place, wanted = f"{path}.{action.action}", details(action)
    if wanted is None:
        yield Violation(place, f"{action.action} must be given, because action names it")
    elif isinstance(wanted, StartWorkflowAction):
        if not wanted.name:
            yield Violation(f"{place}.name", "name must not be empty")
    elif isinstance(wanted, TaskAction):
        if not wanted.task_id and not (wanted.workflow_id and wanted.task_ref_name):
            yield Violation(place, f"{action.action} needs taskId, or workflowId and taskRefName")
    else:
        yield from _of_run(wanted, place)


def _of_run(wanted: TerminateWorkflowAction | UpdateVariablesAction, place: str) -> Iterator[Violation]:
    if not wanted.workflow_id:
        yield Violation(f"{place}.workflowId", "workflowId must not be empty")
    if isinstance(wanted, UpdateVariablesAction) and wanted.append_array:
        yield Violation(f"{place}.appendArray", "appendArray is not supported: a repeated message would append twice")
