"""Whatever is sent to whichever route, the door answers in its own words and never breaks."""

import dataclasses
from typing import Any

import pytest
from fermata.api.app import ROUTES
from fermata.api.http import Route
from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.wire.codec import camel
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.gateway import Gateway
from tests.support.world import World

KEYS = sorted({camel(field.name) for cls in (WorkflowDefinition, WorkflowTask, TaskDefinition) for field in dataclasses.fields(cls)})
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
WORDS = st.sampled_from(["HTTP_POLL", "SWITCH", "WAIT", "${workflow.input.x}", "${", "a", "1", "javascript", "\ud800"])
VALUES = st.recursive(
    LEAVES | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, "input", "workflowDef"]) | st.text(max_size=3), inner)
    ),
    max_leaves=25,
)
DEFINITIONS = st.fixed_dictionaries(
    {
        "name": st.text(max_size=3),
        "tasks": st.lists(st.fixed_dictionaries({"name": WORDS, "taskReferenceName": WORDS, "type": WORDS}), max_size=3),
    },
    optional={key: VALUES for key in KEYS if key not in ("name", "tasks")},
)
BODIES = VALUES | DEFINITIONS | st.lists(DEFINITIONS, max_size=2) | st.text(max_size=20) | st.binary(max_size=20)
QUERIES = st.dictionaries(
    st.sampled_from(["version", "overwrite", "start", "size", "query", "status", "includeTasks", "%"]), st.text(max_size=12)
)


WITH_BODY = [route for route in ROUTES if route.method in ("POST", "PUT") and "<id>" not in route.rule]
FEW = settings(max_examples=10, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def route_name(route: Route) -> str:
    return f"{route.method} {route.rule}"


def answer_in_own_words(method: str, target: str, body: Any = None) -> None:
    answered = Gateway(World().engine)(method, target, body)
    assert answered.status in {200, 204, 400, 404, 405, 409}, answered.text


@FEW
@pytest.mark.parametrize("route", WITH_BODY, ids=route_name)
@given(body=BODIES)
def test_no_body_breaks_the_door(route: Route, body: Any) -> None:
    answer_in_own_words(route.method, route.rule.replace("<name>", "job"), body)


@FEW
@pytest.mark.parametrize("route", ROUTES, ids=route_name)
@given(name=st.text(st.characters(exclude_characters="/?"), min_size=1, max_size=6), query=QUERIES)
def test_no_path_and_no_query_breaks_the_door(route: Route, name: str, query: dict[str, str]) -> None:
    target = route.rule.replace("<name>", name).replace("<id>", name).replace("<version>", "1")
    answer_in_own_words(route.method, f"{target}?{'&'.join(f'{key}={value}' for key, value in query.items())}")
