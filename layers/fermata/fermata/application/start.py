"""Start a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fermata.application.advance import decide_new, load
from fermata.application.dispatch import dispatch
from fermata.application.engine import Engine
from fermata.application.once import Once, once
from fermata.application.register import validate_workflow
from fermata.domain.beginning import begin, with_task_definitions
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import InvalidRequest, NotFound, Violation
from fermata.domain.idempotency import IdempotencyStrategy
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.working import MAX_NAME_BYTES, is_too_long
from fermata.wire.requests import StartWorkflowRequest

MAX_PRIORITY = 99


@dataclass(frozen=True)
class StartWorkflow:
    """A start request. `definition` runs instead of a registered one; `version` None means the highest."""

    name: str
    version: int | None = None
    input: JsonObject = field(default_factory=dict)
    correlation_id: str | None = None
    priority: int = 0
    created_by: str | None = None
    task_to_domain: Mapping[str, str] = field(default_factory=dict)
    definition: WorkflowDefinition | None = None
    idempotency_key: str | None = None
    idempotency_strategy: IdempotencyStrategy = IdempotencyStrategy.FAIL
    # Given where a run is started by an event or another run: its derived id, the event's name, the task that waits for it.
    workflow_id: str | None = None
    event: str | None = None
    parent_workflow_id: str | None = None
    parent_workflow_task_id: str | None = None
    depth: int = 0
    chain: int = 0


def wanted(asked: StartWorkflowRequest) -> StartWorkflow:
    """Return what a start request asks for, but for its idempotency key."""
    return StartWorkflow(
        name=asked.name,
        version=asked.version,
        input=asked.input,
        correlation_id=asked.correlation_id,
        priority=asked.priority,
        created_by=asked.created_by,
        task_to_domain=asked.task_to_domain,
        definition=asked.workflow_def,
    )


def start(engine: Engine, request: StartWorkflow) -> str:
    """Start a run and return its id. Raises `NotFound` for an unknown definition, `InvalidRequest` for a bad request.

    Safe to repeat only with an idempotency key, which is the definition's own, or with a `workflow_id`: each other call is a run of
    its own. With a key it also raises `Conflict`, as the strategy says.
    """
    if not 0 <= request.priority <= MAX_PRIORITY:
        violation = Violation("priority", f"priority must be from 0 to {MAX_PRIORITY}", request.priority)
        raise InvalidRequest(f"priority must be from 0 to {MAX_PRIORITY}, not {request.priority}", (violation,))
    if request.chain > engine.limits.max_start_chain:
        raise InvalidRequest(engine.limits.chain_reason())
    _check_domains(request.task_to_domain)
    definition = pinnable(engine, _definition(engine, request))
    workflow_id = request.workflow_id or engine.ids.new_workflow_id()
    if request.idempotency_key is None:
        _begin(engine, request, definition, workflow_id)
        return workflow_id

    def begin_as(workflow_id: str) -> bool:
        return _begin(engine, request, definition, workflow_id)

    own = request.parent_workflow_id is not None
    wanted = Once(definition.name, request.idempotency_key, request.idempotency_strategy, workflow_id, own=own)
    return once(engine, wanted, begin_as)


def _begin(engine: Engine, request: StartWorkflow, definition: WorkflowDefinition, workflow_id: str) -> bool:
    """Make the run. Return False when a run with this id is there already; it is carried on then."""
    workflow = begin(
        workflow_id=workflow_id,
        definition=definition,
        definition_key=engine.definitions.pin(definition),
        given_input=request.input,
        now=engine.clock.now(),
    )
    workflow = replace(
        workflow,
        correlation_id=request.correlation_id,
        idempotency_key=request.idempotency_key,
        priority=request.priority,
        created_by=request.created_by,
        event=request.event,
        task_to_domain=request.task_to_domain,
        parent_workflow_id=request.parent_workflow_id,
        parent_workflow_task_id=request.parent_workflow_task_id,
        depth=request.depth,
        chain=request.chain,
    )
    decision = decide_new(engine, workflow)
    if engine.executions.commit(decision):
        dispatch(engine, decision)
        return True
    # It is there: by an earlier delivery, by another start with the same key, or by this very commit, whose answer got lost.
    load(engine, workflow_id)
    return False


def _check_domains(task_to_domain: Json) -> None:
    """Raise `InvalidRequest` for what names no domains: a sub-workflow's may come from data."""
    if not isinstance(task_to_domain, Mapping) or not all(isinstance(names, str) for names in task_to_domain.values()):
        wrong = "must map task types to domains, as text"
    elif any(is_too_long(name.strip()) for names in task_to_domain.values() for name in names.split(",")):
        wrong = f"a domain has at most {MAX_NAME_BYTES} bytes"
    else:
        return
    raise InvalidRequest(f"taskToDomain: {wrong}", (Violation("taskToDomain", wrong),))


def pinnable(engine: Engine, definition: WorkflowDefinition) -> WorkflowDefinition:
    """Return the definition with each task's definition embedded, as a run keeps it (Conductor engine reference, 3.1)."""
    names = {task.name for task in definition.all_tasks() if task.task_definition is None}
    known = {name: engine.definitions.get_task(name) for name in sorted(names)}
    return with_task_definitions(definition, {name: found for name, found in known.items() if found})


def _definition(engine: Engine, request: StartWorkflow) -> WorkflowDefinition:
    if request.definition is not None:
        validate_workflow(engine, request.definition)
        return request.definition
    found = engine.definitions.get_workflow(request.name, request.version)
    if found is None:
        version = "" if request.version is None else f", version: {request.version}"
        raise NotFound(f"No such workflow found by name: {request.name}{version}")
    return found
