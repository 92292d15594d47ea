"""Stored records load back to equal values and stay small."""

import dataclasses
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fermata.domain.definitions import SubWorkflowParam, TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.effects import ClosePoll, Decision, Dequeue, Effect, Enqueue, ForgetWork, OpenPoll, Send
from fermata.domain.errors import EngineBug
from fermata.domain.executions import Task, Workflow
from fermata.domain.messages import PollDue, RunTask, WakeWorkflow
from fermata.domain.outcomes import Outcome
from fermata.domain.polling import LedgerEntry, PollDecision, PollSpec, PollState
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.work_limiting import Limiter
from fermata.domain.working import WorkItem
from fermata.wire.records import dump, from_value, load, to_value
from hypothesis import given, settings
from hypothesis import strategies as st

NOW = datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
MOMENTS = st.integers(0, 4_000_000_000_000).map(lambda ms: datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=ms))
OBJECTS = st.dictionaries(st.text(max_size=4), JSON, max_size=3)

st.register_type_strategy(datetime, MOMENTS)
st.register_type_strategy(timedelta, st.integers(0, 10**9).map(lambda ms: timedelta(milliseconds=ms)))


def json_fields(cls: type[Any]) -> dict[str, Any]:
    names = {"input", "output", "variables", "context", "input_template", "metadata", "output_parameters", "input_parameters"}
    of_objects = {
        f.name: OBJECTS
        for f in dataclasses.fields(cls)
        if (f.name in names and "JsonObject" in str(f.type)) or "Mapping[str, typing.Any]" in str(f.type)
    }
    of_json = {f.name: JSON for f in dataclasses.fields(cls) if f.type is Any}
    return of_objects | of_json


def instances(cls: type[Any]) -> st.SearchStrategy[Any]:
    return st.builds(cls, **json_fields(cls))


@settings(max_examples=25, deadline=None)
@pytest.mark.parametrize(
    "cls", [Task, Workflow, Outcome, PollSpec, PollState, LedgerEntry, TaskDefinition, SubWorkflowParam, WorkItem, Limiter]
)
@given(data=st.data())
def test_any_value_loads_back_equal(cls: type[Any], data: st.DataObject) -> None:
    value = data.draw(instances(cls))
    assert load(cls, dump(value)) == value


@settings(max_examples=25, deadline=None)
@given(st.lists(instances(Task), max_size=2).map(tuple), instances(Workflow), instances(PollSpec), instances(WorkItem), MOMENTS)
def test_any_decision_loads_back_equal(tasks: tuple[Task, ...], workflow: Workflow, spec: PollSpec, item: WorkItem, at: datetime) -> None:
    messages = (RunTask("w", "t"), PollDue("w", "t", 3), WakeWorkflow("w"))
    effects: tuple[Effect, ...] = (
        *(Send(message, at) for message in messages),
        OpenPoll(spec, at),
        ClosePoll("t"),
        Enqueue(item),
        Dequeue("w", "t"),
        ForgetWork("w", "t"),
    )
    decision = Decision(workflow, tasks, effects, changed=False)
    assert load(Decision, dump(decision)) == decision


def test_a_nested_definition_loads_back_equal() -> None:
    leaf = WorkflowTask("leaf", "leaf", input_parameters={"a": None, "b": [1, {"c": 10**30}]}, task_definition=TaskDefinition("leaf"))
    task = WorkflowTask(
        "s",
        "s",
        type="SWITCH",
        decision_cases={"yes": (leaf,), "no": ()},
        default_case=(leaf,),
        fork_tasks=((leaf,), (leaf, leaf)),
        sub_workflow_param=SubWorkflowParam("child", 2, workflow_definition={"name": "x"}),
    )
    definition = WorkflowDefinition("d", (task, leaf), restartable=False)
    assert load(WorkflowDefinition, dump(definition)) == definition


def test_defaults_and_none_are_not_written() -> None:
    assert json.loads(dump(WorkflowTask("n", "r"))) == {"name": "n", "task_reference_name": "r"}
    entry = LedgerEntry(1, NOW, NOW, timedelta(milliseconds=12), None, PollDecision.ERROR, None)
    ms = 1772600767089
    assert to_value(entry) == {"poll": 1, "due": ms, "fired": ms, "latency": 12, "decision": "ERROR"}


def test_none_is_written_where_it_is_not_the_default() -> None:
    @dataclasses.dataclass(frozen=True)
    class Odd:
        a: int | None = 3

    assert load(Odd, dump(Odd(None))) == Odd(None)


def test_large_integers_nulls_and_half_surrogates_are_kept() -> None:
    outcome = Outcome(
        "t", "w", TaskStatus.COMPLETED, NOW, output={"big": 123456789012345678901234567890, "null": None, "half": "\ud800", "ü": "€"}
    )
    assert load(Outcome, dump(outcome)) == outcome


def test_an_unknown_key_is_ignored_and_a_missing_one_takes_its_default() -> None:
    record = b'{"task_id":"t","workflow_id":"w","due":5,"from_the_future":{"x":1}}'
    assert load(PollState, record) == PollState("t", "w", datetime.fromtimestamp(0.005, UTC))


def test_a_missing_required_field_is_a_bug() -> None:
    with pytest.raises(EngineBug, match="PollState has no due"):
        from_value(PollState, {"task_id": "t", "workflow_id": "w"})


def test_an_unknown_effect_is_a_bug() -> None:
    workflow = to_value(Workflow("w", "k", "n", 1, WorkflowStatus.RUNNING, NOW))
    with pytest.raises(EngineBug, match="SelfDestruct"):
        from_value(Decision, {"workflow": workflow, "effects": [{"is": "SelfDestruct"}]})


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump(Outcome("t", "w", TaskStatus.COMPLETED, NOW, output={"x": float("nan")}))


def test_a_hot_row_stays_small() -> None:
    entry = LedgerEntry(30_000, NOW, NOW, timedelta(milliseconds=120), 200, PollDecision.AGAIN, NOW)
    state = PollState("0" * 36, "0" * 36, NOW, 30_000, started_at=NOW, recent=(entry,) * 4)
    assert len(dump(state)) < 900
