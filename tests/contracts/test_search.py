"""What every `Executions.search` promises: the page that a plain look at every run would give, whatever is asked and in whatever order."""

from dataclasses import replace
from datetime import timedelta
from functools import cmp_to_key

import pytest
from fermata.adapters.memory.executions import MemoryExecutions
from fermata.domain.effects import Decision
from fermata.domain.searching.conditions import EVERYTHING, Both, Either, IsNull, Not, OneOf, Order, StartsWith, Within
from fermata.domain.searching.fields import NEWEST_FIRST, OLDEST_FIRST, SUMMARY, WORKFLOW_FIELDS
from fermata.domain.status import WorkflowStatus
from fermata.ports import WorkflowQuery
from fermata.wire.records import epoch_ms
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.contracts.builders import T0, decision, run_id, task, task_id, workflow

FIELD = WORKFLOW_FIELDS
MINUTE = timedelta(minutes=1)
BASE = epoch_ms(T0)


def one(field, *values):
    return OneOf(FIELD[field], values)


def started(first, last):
    return Within(FIELD["startTime"], BASE + first * 60_000, BASE + last * 60_000)


@pytest.fixture
def executions(store):
    return store.executions


@pytest.fixture
def seven_runs(executions):
    """Runs 1 to 7, a minute apart; the odd ones render, 2 and 3 have failed, 3 and 4 belong together, 5 is a child of 1."""
    for number in range(1, 8):
        failed = number in (2, 3)
        executions.commit(
            decision(
                1,
                workflow_id=run_id(number),
                create_time=T0 + number * MINUTE,
                end_time=T0 + 10 * MINUTE if failed else None,
                workflow_name="render" if number % 2 else "export",
                status=WorkflowStatus.FAILED if failed else WorkflowStatus.RUNNING,
                correlation_id="corr" if number in (3, 4) else None,
                parent_workflow_id=run_id(1) if number == 5 else None,
                event="sqs:films" if number == 6 else None,
                input={"file": f"film-{number}.mov"},
            )
        )


def numbers(page):
    return [int(run.workflow_id[-2:]) for run in page.workflows]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (EVERYTHING, [7, 6, 5, 4, 3, 2, 1]),
        (one("workflowType", "export"), [6, 4, 2]),
        (one("workflowType", "nobody"), []),
        (one("status", "FAILED"), [3, 2]),
        (Not(one("status", "FAILED")), [7, 6, 5, 4, 1]),
        (Both(one("status", "FAILED", "RUNNING"), one("workflowType", "render")), [7, 5, 3, 1]),
        (one("correlationId", "corr"), [4, 3]),
        (Both(one("correlationId", "corr"), one("status", "FAILED")), [3]),
        (one("workflowId", run_id(5), run_id(2), "nobody"), [5, 2]),
        (Both(one("workflowId", run_id(5)), one("workflowType", "export")), []),
        (started(6, 99), [7, 6]),
        (started(0, 2), [2, 1]),
        (started(2, 3), [3, 2]),
        (one("parentWorkflowId", run_id(1)), [5]),
        (one("parentWorkflowId", ""), [7, 6, 4, 3, 2, 1]),
        (one("parentWorkflowId", "", run_id(1)), [7, 6, 5, 4, 3, 2, 1]),
        (Either(one("correlationId", "corr"), one("status", "FAILED")), [4, 3, 2]),
        (StartsWith(FIELD["workflowType"], "ren"), [7, 5, 3, 1]),
        (one("workflowType", "*xp*"), [6, 4, 2]),
        (IsNull(FIELD["endTime"]), [7, 6, 5, 4, 1]),
        (one("input", "FILM-6"), [6]),
        (Both(one("workflowType", "render"), one("input", "film")), [7, 5, 3, 1]),
        (OneOf(SUMMARY, ("film-3*render",)), []),
        (OneOf(SUMMARY, ("film-3",)), [3]),
        (OneOf(SUMMARY, ("sqs:films",)), [6]),
        (one("event", "sqs:films"), [6]),
        (one("classifier", "workflow"), [7, 6, 5, 4, 3, 2, 1]),
        (one("classifier", "agent"), []),
    ],
)
def test_search_narrows_by_every_field_newest_first(executions, seven_runs, condition, expected):
    page = executions.search(WorkflowQuery(condition))
    assert numbers(page) == expected
    assert (page.total_hits, page.exact) == (len(expected), True)


def test_a_type_and_statuses_narrow_a_condition_further(executions, seven_runs):
    query = WorkflowQuery(started(1, 5), workflow_type="render", statuses={WorkflowStatus.RUNNING})
    assert numbers(executions.search(query)) == [5, 1]
    assert numbers(executions.search(WorkflowQuery(statuses={WorkflowStatus.FAILED}))) == [3, 2]


def test_search_pages(executions, seven_runs):
    page = executions.search(WorkflowQuery(start=2, size=3))
    assert (numbers(page), page.total_hits) == ([5, 4, 3], 7)
    assert numbers(executions.search(WorkflowQuery(start=6, size=3))) == [1]
    assert numbers(executions.search(WorkflowQuery(start=7, size=3))) == []
    assert executions.search(WorkflowQuery(size=0)).total_hits == 7


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (OLDEST_FIRST, [1, 2, 3, 4, 5, 6, 7]),
        ((Order(FIELD["workflowType"]),), [6, 4, 2, 7, 5, 3, 1]),
        ((Order(FIELD["status"]), Order(FIELD["startTime"])), [2, 3, 1, 4, 5, 6, 7]),
        ((Order(FIELD["correlationId"], descending=True),), [4, 3, 7, 6, 5, 2, 1]),
        ((Order(FIELD["updateTime"]), Order(FIELD["workflowId"])), [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_search_sorts_and_leaves_equal_ones_newest_first(executions, seven_runs, order, expected):
    assert numbers(executions.search(WorkflowQuery(order=order))) == expected
    assert numbers(executions.search(WorkflowQuery(order=order, start=2, size=2))) == expected[2:4]


def test_search_sees_the_status_as_it_is_now(executions, seven_runs):
    before = executions.load(run_id(7)).workflow
    ended = workflow(2, workflow_id=run_id(7), create_time=before.create_time, status=WorkflowStatus.COMPLETED, end_time=T0)
    assert executions.commit(Decision(ended))
    assert numbers(executions.search(WorkflowQuery(one("status", "COMPLETED")))) == [7]
    assert 7 not in numbers(executions.search(WorkflowQuery(one("status", "RUNNING"))))


def test_runs_of_one_moment_are_paged_by_their_ids(executions):
    for number in (4, 1, 5, 3, 2):
        executions.commit(decision(1, workflow_id=run_id(number)))
    pages = [executions.search(WorkflowQuery(start=start, size=2)) for start in (0, 2, 4)]
    assert [numbers(page) for page in pages] == [[5, 4], [3, 2], [1]]
    oldest = [executions.search(WorkflowQuery(order=OLDEST_FIRST, start=start, size=2)) for start in (0, 2, 4)]
    assert [numbers(page) for page in oldest] == [[1, 2], [3, 4], [5]]


def test_a_correlation_id_may_be_longer_than_a_key(executions):
    for number, name in ((1, "c" * 3000), (2, "c" * 2999 + "d")):
        executions.commit(decision(1, workflow_id=run_id(number), correlation_id=name))
    assert numbers(executions.search(WorkflowQuery(one("correlationId", "c" * 3000)))) == [1]


@pytest.mark.parametrize("name", ["workflowId", "workflowType", "correlationId", "parentWorkflowId"])
def test_what_nobody_can_be_called_is_not_found(executions, seven_runs, name):
    for value in ("x" * 7000, "ä" * 1500):
        assert executions.search(WorkflowQuery(one(name, value))).total_hits == 0
    assert executions.search(WorkflowQuery(one(name, "", "x"))).total_hits == (6 if name == "parentWorkflowId" else 0)
    assert executions.workflow_of("x" * 7000) is executions.workflow_of("") is None


# --- any question, the answer of a plain look at every run ---

TYPES, CORRELATIONS = ("render", "export"), (None, "a", "b")
STATUSES = tuple(WorkflowStatus)
# Twenty-four runs that share every field with others, four of them begun in one moment.
RUNS = [
    workflow(
        workflow_id=run_id(number),
        create_time=T0 + number // 4 * MINUTE,
        end_time=T0 + (number // 4 + number % 3) * MINUTE if STATUSES[number % 6].terminal else None,
        workflow_name=TYPES[number // 2 % 2],
        workflow_version=1 + number % 3,
        status=STATUSES[number % 6],
        correlation_id=CORRELATIONS[number // 3 % 3],
        parent_workflow_id=run_id(number % 5) if number % 5 in (1, 2) else None,
    )
    for number in range(1, 25)
]
TEXTS = {
    "workflowType": [*TYPES, "re*", "nobody"],
    "status": [status.value for status in WorkflowStatus],
    "correlationId": ["a", "b", "*"],
    "parentWorkflowId": ["", run_id(1), run_id(2)],
    "workflowId": [run_id(number) for number in range(1, 25, 5)],
    "version": [1, 2, 3],
}
LEAVES = st.one_of(
    [
        st.lists(st.sampled_from(values), min_size=1, max_size=3).map(lambda some, name=name: one(name, *some))
        for name, values in TEXTS.items()
    ]
    + [
        st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda bounds: started(*bounds)),
        st.integers(0, 5).map(lambda low: Within(FIELD["endTime"], BASE + low * 60_000, None)),
        st.integers(0, 5).map(lambda high: Within(FIELD["updateTime"], None, BASE + high * 60_000)),
        st.sampled_from(["correlationId", "parentWorkflowId", "reasonForIncompletion", "endTime"]).map(lambda name: IsNull(FIELD[name])),
    ]
)
CONDITIONS = st.recursive(
    LEAVES, lambda inner: st.one_of(inner.map(Not), st.builds(Both, inner, inner), st.builds(Either, inner, inner)), max_leaves=5
)
ORDERS = st.sampled_from([NEWEST_FIRST, OLDEST_FIRST]) | st.lists(
    st.builds(Order, st.sampled_from([FIELD[name] for name in ("status", "endTime", "correlationId", "updateTime")]), st.booleans()),
    min_size=1,
    max_size=2,
).map(tuple)


def plain_value(run, name):
    """What a run says about itself, in words of this file: (as it is, as comparisons take it)."""
    end = epoch_ms(run.end_time) if run.end_time else None
    values = {
        "workflowId": run.workflow_id,
        "workflowType": run.workflow_name,
        "status": run.status.value,
        "correlationId": run.correlation_id,
        "parentWorkflowId": run.parent_workflow_id,
        "version": run.workflow_version,
        "startTime": epoch_ms(run.create_time),
        "updateTime": epoch_ms(run.update_time),
        "endTime": end,
        "reasonForIncompletion": run.reason_for_incompletion,
    }
    absent = {"parentWorkflowId": "", "endTime": 0}
    return values[name], absent.get(name) if values[name] is None else values[name]


def plain_match(condition, run):
    match condition:
        case Both(left, right):
            return plain_match(left, run) and plain_match(right, run)
        case Either(left, right):
            return plain_match(left, run) or plain_match(right, run)
        case Not(inner):
            return not plain_match(inner, run)
        case IsNull(field):
            return plain_value(run, field.name)[0] is None
        case OneOf(field, values):
            value = plain_value(run, field.name)[1]
            return value is not None and any(each in (value, "*") or (each == "re*" and value[:2] == "re") for each in values)
        case Within(field, low, high):
            value = plain_value(run, field.name)[1]
            return value is not None and (low is None or value >= low) and (high is None or value <= high)
    raise AssertionError(condition)


def plain_answer(runs, condition, order):
    newest = sorted((run for run in runs if plain_match(condition, run)), key=lambda run: (run.create_time, run.workflow_id), reverse=True)
    if order == OLDEST_FIRST:
        return [run.workflow_id for run in reversed(newest)]

    def compare(one_run, other):
        for each in order:
            missing = 0 if "Time" in each.field.name else ""
            left, right = (plain_value(run, each.field.name)[1] or missing for run in (one_run, other))
            if left != right:
                return (1 if left > right else -1) * (-1 if each.descending else 1)
        return 0

    return [run.workflow_id for run in sorted(newest, key=cmp_to_key(compare))]


# No shrinking: what fails is small enough as it comes, and on moto shrinking takes minutes.
FEW = {"deadline": None, "phases": [Phase.generate], "suppress_health_check": [HealthCheck.function_scoped_fixture]}
EXAMPLES = {MemoryExecutions: 200}  # a search for everything is 24 queries, which moto takes its time for


def test_any_search_gives_what_a_plain_look_at_every_run_gives(every_store):
    executions = every_store.executions
    for run in RUNS:
        executions.commit(Decision(run))

    @settings(max_examples=EXAMPLES.get(type(executions), 15), **FEW)
    @given(CONDITIONS, ORDERS, st.integers(0, 12))
    def search(condition, order, start):
        expected = plain_answer(RUNS, condition, order)
        page = executions.search(WorkflowQuery(condition, order, start, 6))
        assert [run.workflow_id for run in page.workflows] == expected[start : start + 6]
        assert (page.total_hits, page.exact) == (len(expected), True)

    search()


# --- by the hosts that runs ask ---


@pytest.fixture
def asking_runs(executions):
    """Runs 1 to 6: 1 to 4 ask a.example, 2 and 4 b.example, too, 5 b.example alone, 6 nobody. 3 and 4 have failed, 4 is a child of 1."""
    hosts = {1: "a", 2: "ab", 3: "a", 4: "ab", 5: "b", 6: ""}
    for number, letters in hosts.items():
        asked = {f"{letter}.example": task_id(place) for place, letter in enumerate(letters)}
        run = workflow(
            1,
            workflow_id=run_id(number),
            create_time=T0 + number * MINUTE,
            workflow_name="render" if number % 2 else "export",
            status=WorkflowStatus.FAILED if number in (3, 4) else WorkflowStatus.RUNNING,
            parent_workflow_id=run_id(1) if number == 4 else None,
            vendor_hosts=asked,
        )
        made = Decision(run, tuple(task(place, workflow_id=run_id(number), task_id=task_id(place)) for place in (0, 1)))
        executions.commit(made)
        executions.settle_tasks(made)


A, B = one("vendorHost", "a.example"), one("vendorHost", "b.example")


BY_HOST = [
    (A, [4, 3, 2, 1]),
    (B, [5, 4, 2]),
    (Both(A, B), [4, 2]),
    (Either(A, B), [5, 4, 3, 2, 1]),
    (one("vendorHost", "a.example", "b.example"), [5, 4, 3, 2, 1]),
    (Both(A, one("status", "FAILED")), [4, 3]),
    (Both(B, one("status", "FAILED")), [4]),
    (Both(B, Not(one("status", "FAILED"))), [5, 2]),
    (Both(A, one("workflowType", "render")), [3, 1]),
    (Both(B, one("parentWorkflowId", "")), [5, 2]),
    (Both(B, one("parentWorkflowId", run_id(1))), [4]),
    (Both(A, started(2, 3)), [3, 2]),
    (Both(A, Not(B)), [3, 1]),
    (Not(A), [6, 5]),
    (IsNull(FIELD["vendorHost"]), [6]),
    (Not(IsNull(FIELD["vendorHost"])), [5, 4, 3, 2, 1]),
    (one("vendorHost", "*.example"), [5, 4, 3, 2, 1]),
    (StartsWith(FIELD["vendorHost"], "b."), [5, 4, 2]),
    (one("vendorHost", "nobody"), []),
]


def test_runs_are_found_by_any_of_the_hosts_that_they_ask(executions, asking_runs):
    for condition, expected in BY_HOST:
        page = executions.search(WorkflowQuery(condition))
        assert (numbers(page), page.total_hits, page.exact) == (expected, len(expected), True), condition
    assert numbers(executions.search(WorkflowQuery(Both(A, Not(B)), OLDEST_FIRST))) == [1, 3]


def test_a_run_that_ends_is_found_by_host_and_new_status(executions, asking_runs):
    stored = executions.load(run_id(2)).workflow
    executions.commit(Decision(replace(stored, revision=2, status=WorkflowStatus.COMPLETED)))
    for condition in (A, B):
        assert numbers(executions.search(WorkflowQuery(Both(condition, one("status", "COMPLETED"))))) == [2]
        assert 2 not in numbers(executions.search(WorkflowQuery(Both(condition, one("status", "RUNNING")))))


def test_a_removed_run_is_found_by_no_host(executions, asking_runs):
    executions.remove(run_id(2))
    assert numbers(executions.search(WorkflowQuery(B))) == [5, 4]
    assert executions.search(WorkflowQuery(A)).total_hits == 3


@pytest.mark.parametrize("order", [NEWEST_FIRST, OLDEST_FIRST])
@pytest.mark.parametrize("condition", [EVERYTHING, one("workflowType", "render"), one("workflowId", *map(run_id, range(1, 6)))])
def test_pages_follow_each_other_by_the_place_of_the_last_run(executions, seven_runs, order, condition):
    twins = [decision(1, workflow_id=run_id(number), create_time=T0 + 3 * MINUTE, workflow_name="render") for number in (20, 21)]
    for twin in twins:  # started in the same millisecond as another
        executions.commit(twin)
    whole = numbers(executions.search(WorkflowQuery(condition, order)))
    for size in (1, 2, 3):
        page = executions.search(WorkflowQuery(condition, order, size=size))
        seen = numbers(page)
        while page.last:
            page = executions.search(WorkflowQuery(condition, order, size=size, after=page.last))
            assert page.total_hits >= len(page.workflows)
            seen += numbers(page)
        assert seen == whole


def test_an_order_by_anything_else_has_no_places(executions, seven_runs):
    assert executions.search(WorkflowQuery(order=(Order(FIELD["workflowType"]),), size=2)).last is None
    assert executions.search(WorkflowQuery(size=0)).last is None
    assert executions.search(WorkflowQuery(size=7)).last is None
