"""Workflow definitions and task definitions (reference 2.1, 2.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from fermata.api.http import Reply, Request, Route, answer, done, whole_number
from fermata.application import check, register
from fermata.application.engine import Engine
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.json_value import Json
from fermata.wire import definitions as wire
from fermata.wire.warnings import warnings_headers


def register_workflow(engine: Engine, request: Request) -> Reply:
    definition = wire.workflow_definition_from_json(request.json())
    register.register_workflow(engine, definition, overwrite=request.flag("overwrite", default=False))
    return replace(done(), headers=warnings_headers(check.warnings(engine, definition)))


def validate_workflow(engine: Engine, request: Request) -> Reply:
    definition = wire.workflow_definition_from_json(request.json())
    register.validate_workflow(engine, definition)
    return replace(done(), headers=warnings_headers(check.warnings(engine, definition)))


def update_workflows(engine: Engine, request: Request) -> Reply:
    definitions = wire.workflow_definitions_from_json(request.json())
    if not definitions:
        raise InvalidRequest("The array of workflow definitions is empty.")
    register.update_workflows(engine, definitions)
    warned = [
        replace(warning, path=f"workflowDefinitions[{index}].{warning.path}")
        for index, definition in enumerate(definitions)
        for warning in check.warnings(engine, definition)
    ]
    return replace(answer(bulk_response([definition.name for definition in definitions])), headers=warnings_headers(warned))


def list_workflows(engine: Engine, request: Request) -> Reply:
    kind = request.word("classifier")
    definitions = engine.definitions.list_workflows()
    return answer([wire.workflow_definition_to_json(one) for one in definitions if kind is None or _is_a(one, kind)])


def get_workflow(engine: Engine, request: Request) -> Reply:
    name, version = request.path["name"], request.optional_number("version")
    definition = engine.definitions.get_workflow(name, version)
    if definition is None:
        raise _no_workflow(name, version)
    return answer(wire.workflow_definition_to_json(definition))


def workflow_names(engine: Engine, _request: Request) -> Reply:
    return answer([name for name, _ in _by_name(engine)])


def workflow_names_and_versions(engine: Engine, _request: Request) -> Reply:
    return answer({name: _summaries(versions) for name, versions in _by_name(engine)})


def workflow_versions(engine: Engine, request: Request) -> Reply:
    name = request.path["name"]
    return answer(_summaries(one for one in engine.definitions.list_workflows() if one.name == name))


def latest_workflows(engine: Engine, _request: Request) -> Reply:
    return answer([wire.workflow_definition_to_json(versions[-1]) for _, versions in _by_name(engine)])


def delete_workflow(engine: Engine, request: Request) -> Reply:
    name, version = request.path["name"], whole_number("The version", request.path["version"])
    if not engine.definitions.delete_workflow(name, version):
        raise _no_workflow(name, version)
    return done()


def register_tasks(engine: Engine, request: Request) -> Reply:
    register.register_tasks(engine, wire.task_definitions_from_json(request.json()))
    return done()


def update_task(engine: Engine, request: Request) -> Reply:
    register.update_task(engine, wire.task_definition_from_json(request.json()))
    return done()


def list_tasks(engine: Engine, _request: Request) -> Reply:
    return answer([wire.task_definition_to_json(definition) for definition in engine.definitions.list_tasks()])


def get_task(engine: Engine, request: Request) -> Reply:
    name = request.path["name"]
    definition = engine.definitions.get_task(name)
    if definition is None:
        raise _no_task(name)
    return answer(wire.task_definition_to_json(definition))


def delete_task(engine: Engine, request: Request) -> Reply:
    name = request.path["name"]
    if not engine.definitions.delete_task(name):
        raise _no_task(name)
    return done()


def bulk_response(successes: Sequence[Json], errors: Mapping[str, str] | None = None) -> Json:
    """Return Conductor's BulkResponse. `errors`: what went wrong, by name or id."""
    return {
        "bulkErrorResults": dict(errors or {}),
        "bulkSuccessfulResults": list(successes),
        "message": "Bulk Request has been processed.",
    }


def _by_name(engine: Engine) -> Iterable[tuple[str, list[WorkflowDefinition]]]:
    for name, versions in groupby(engine.definitions.list_workflows(), key=lambda definition: definition.name):
        yield name, list(versions)


def _summaries(definitions: Iterable[WorkflowDefinition]) -> list[Json]:
    return [wire.definition_summary_to_json(definition) for definition in definitions]


def _is_a(definition: WorkflowDefinition, kind: str) -> bool:
    return wire.classifier(definition).lower() == kind.lower()


def _no_workflow(name: str, version: int | None) -> NotFound:
    return NotFound(f"No such workflow definition: {name}{'' if version is None else f', version {version}'}.")


def _no_task(name: str) -> NotFound:
    return NotFound(f"No such task definition: {name}.")


_WORKFLOW, _TASK = "/api/metadata/workflow", "/api/metadata/taskdefs"

ROUTES = (
    Route("POST", _WORKFLOW, register_workflow),
    Route("PUT", _WORKFLOW, update_workflows),
    Route("GET", _WORKFLOW, list_workflows),
    Route("POST", f"{_WORKFLOW}/validate", validate_workflow),
    Route("GET", f"{_WORKFLOW}/names", workflow_names),
    Route("GET", f"{_WORKFLOW}/names-and-versions", workflow_names_and_versions),
    Route("GET", f"{_WORKFLOW}/latest-versions", latest_workflows),
    Route("GET", f"{_WORKFLOW}/<name>", get_workflow),
    Route("GET", f"{_WORKFLOW}/<name>/versions", workflow_versions),
    Route("DELETE", f"{_WORKFLOW}/<name>/<version>", delete_workflow),
    Route("POST", _TASK, register_tasks),
    Route("PUT", _TASK, update_task),
    Route("GET", _TASK, list_tasks),
    Route("GET", f"{_TASK}/<name>", get_task),
    Route("DELETE", f"{_TASK}/<name>", delete_task),
)
