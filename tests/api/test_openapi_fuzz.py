"""Schemathesis asks every route what its description allows, and what it does not; the answers are as described."""

import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from fermata.api.description.document import ROOMS
from fermata.api.description.vocabulary import Room
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.fuzzed import FuzzedServer

# Not `negative_data_rejection`: a number may come as a text and null is the default, as in Conductor. Not `positive_data_acceptance`:
# a definition can be well formed and still make no sense.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# FUZZ_EXAMPLES=50 looks further than every run of the suite does.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
FEW = settings(
    max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
BY_ROOM = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name.replace(" ", "-"))


@BY_ROOM
def test_what_there_is_is_answered_as_described(room: Room) -> None:
    fuzzed = FuzzedServer()
    for operation in fuzzed.operations(room.name):
        name = operation.definition.raw["operationId"]
        seen = {_asked(fuzzed, operation, name, named) for named in _combinations(fuzzed, operation)}
        assert seen & {200, 204}, f"{operation.label} never succeeded: its good answer was not seen"


@BY_ROOM
def test_whatever_is_asked_is_answered_as_described(room: Room) -> None:
    fuzzed = FuzzedServer()
    for operation in fuzzed.operations(room.name):

        @FEW
        @given(case=operation.as_strategy() | operation.as_strategy(GenerationMode.NEGATIVE), named=st.data())
        def ask(case: Case, named: st.DataObject) -> None:
            for variable in case.path_parameters or {}:
                if named.draw(st.booleans()):  # what is made up is only ever answered 404
                    case.path_parameters[variable] = named.draw(st.sampled_from(fuzzed.known(case.path, variable)))
            case.call_and_validate(checks=CHECKS)

        ask()


def _combinations(fuzzed: FuzzedServer, operation: Any) -> Iterator[dict[str, str]]:
    variables = [parameter.name for parameter in operation.path_parameters]
    for values in product(*(fuzzed.known(operation.path, variable) for variable in variables)):
        yield dict(zip(variables, values, strict=True))


def _asked(fuzzed: FuzzedServer, operation: Any, name: str, named: dict[str, str]) -> int:
    body = {"body": fuzzed.bodies[name], "media_type": "application/json"} if name in fuzzed.bodies else {}
    case = operation.Case(path_parameters=named, query=dict(fuzzed.queries.get(name, {})), **body)
    return int(case.call_and_validate(checks=CHECKS).status_code)
