"""What a search reads: entries of matching runs and no others, a page of rows, and never more than it may."""

from dataclasses import replace

import pytest
from fermata.adapters.dynamodb import DynamoExecutions
from fermata.adapters.dynamodb.search import SearchLimits
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.domain.errors import SearchTooBroad
from fermata.domain.searching.conditions import EVERYTHING, Both, Not, OneOf, Order, Within
from fermata.domain.searching.fields import TOP_LEVEL, WORKFLOW_FIELDS
from fermata.domain.status import WorkflowStatus
from fermata.ports import WorkflowQuery
from fermata.wire.records import epoch_ms, json_bytes

from tests.contracts.builders import BIG, RUN, T0, decision, run_id, seconds, task, task_id

FIELD = WORKFLOW_FIELDS
STATUSES = len(WorkflowStatus)
FEW = SearchLimits(entries=8, counted=4, rows=5, partitions=30)


@pytest.fixture
def executions(table):
    return DynamoExecutions(table, MemoryPayloads())


@pytest.fixture
def bounded(table):
    return DynamoExecutions(table, MemoryPayloads(), search_limits=FEW)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr("fermata.adapters.dynamodb.search.CHUNK", 2)


def one(field, *values):
    return OneOf(FIELD[field], values)


def begin(executions, first, count, **fields):
    for number in range(first, first + count):
        executions.commit(decision(1, workflow_id=run_id(number), create_time=T0 + seconds(number), **fields))


WANTED = {
    "workflow_name": "render",
    "status": WorkflowStatus.FAILED,
    "correlation_id": "corr",
    "parent_workflow_id": run_id(999),
    "end_time": T0 + seconds(600),
}
# Each misses `WANTED` by what the row's condition names; none of them may be read.
OTHERS = {"workflow_name": "export", "status": WorkflowStatus.COMPLETED, "correlation_id": "other", "parent_workflow_id": None}


@pytest.mark.parametrize(
    ("condition", "queries", "differs"),
    [
        (one("status", "FAILED"), 4, ["status"]),
        (one("workflowType", "render"), 4 * STATUSES, ["workflow_name"]),
        (Both(one("workflowType", "render"), one("status", "FAILED")), 4, ["status"]),
        (Both(one("workflowType", "render"), one("status", "FAILED")), 4, ["workflow_name"]),
        (Both(one("status", "FAILED"), Not(TOP_LEVEL)), 4, ["status"]),
        (one("correlationId", "corr"), 1, ["correlation_id"]),
        (Both(one("correlationId", "corr"), one("workflowType", "render")), 1, ["correlation_id"]),
        (one("parentWorkflowId", run_id(999)), 1, ["parent_workflow_id"]),
        (Both(one("status", "FAILED"), Within(FIELD["startTime"], epoch_ms(T0), epoch_ms(T0 + seconds(50)))), 4, []),
    ],
)
def test_a_page_does_not_pay_for_runs_that_do_not_match(executions, meter, condition, queries, differs):
    begin(executions, 1, 3, **WANTED)
    meter.take()
    assert executions.search(WorkflowQuery(condition, size=2)).total_hits == 3
    alone = meter.take()
    begin(executions, 100, 30, **(WANTED | {name: OTHERS[name] for name in differs}))
    meter.take()
    assert executions.search(WorkflowQuery(condition, size=2)).total_hits == 3
    among_others = meter.take()
    assert among_others.reads == alone.reads
    assert among_others.calls == alone.calls
    assert alone.calls == ["Query"] * queries + ["BatchGetItem"]
    assert sum(alone.reads) == queries / 2


def test_top_level_runs_are_found_without_reading_children(executions, meter):
    begin(executions, 1, 3)
    meter.take()
    executions.search(WorkflowQuery(TOP_LEVEL, size=2))
    alone = meter.take()
    begin(executions, 100, 30, parent_workflow_id=run_id(1))
    meter.take()
    assert executions.search(WorkflowQuery(TOP_LEVEL, size=2)).total_hits == 3
    assert meter.take().reads == alone.reads == [0.5] * 2 * STATUSES


def test_runs_named_by_their_ids_are_read_and_nothing_else(executions, meter):
    begin(executions, 1, 5)
    meter.take()
    found = executions.search(WorkflowQuery(Both(one("workflowId", run_id(2), run_id(4)), one("status", "RUNNING"))))
    assert found.total_hits == 2
    assert meter.take().calls == ["BatchGetItem"]


def test_a_page_of_many_matches_reads_what_it_counts_and_no_more(bounded, executions, meter):
    begin(executions, 1, 40)
    meter.take()
    page = bounded.search(WorkflowQuery(one("status", "RUNNING"), size=3))
    assert (page.total_hits, page.exact, len(page.workflows)) == (4, False, 3)
    assert sum(meter.take().reads) <= 2.5
    assert executions.search(WorkflowQuery(one("status", "RUNNING"), size=3)).total_hits == 40


def test_the_last_page_is_exact(bounded, executions):
    begin(executions, 1, 6)
    page = bounded.search(WorkflowQuery(EVERYTHING, start=4, size=2))
    assert (page.total_hits, page.exact, len(page.workflows)) == (6, True, 2)


@pytest.mark.parametrize(
    "query",
    [
        WorkflowQuery(Not(one("workflowType", "export")), size=3),  # the first match is further back than a search may look
        WorkflowQuery(Not(one("output", "x")), (Order(FIELD["updateTime"]),)),  # every row has to be read
        WorkflowQuery(EVERYTHING, (Order(FIELD["endTime"]),), size=1),  # what comes first is known when all are
        WorkflowQuery(one("workflowType", *map(str, range(10)))),
        WorkflowQuery(one("workflowId", *map(run_id, range(6)))),
    ],
)
def test_a_search_that_would_look_at_too_much_says_how_to_narrow_it(bounded, executions, query):
    begin(executions, 1, 1)
    begin(executions, 2, 20, workflow_name="export")
    with pytest.raises(SearchTooBroad, match="startTime range"):
        bounded.search(query)


def test_rows_are_read_only_where_the_index_does_not_tell(executions, meter):
    begin(executions, 1, 4, input={"a": "needle"})
    begin(executions, 5, 4, status=WorkflowStatus.FAILED)
    meter.take()
    found = executions.search(WorkflowQuery(Both(one("input", "needle"), Both(one("version", 1), one("status", "RUNNING"))), size=10))
    assert found.total_hits == 4
    assert meter.take().calls.count("BatchGetItem") == 2  # chunks of two; the page needs no further read


class UnreadablePayloads(MemoryPayloads):
    def get(self, key):
        raise AssertionError(f"{key} was read")


def test_payloads_kept_apart_are_not_read_for_a_page_but_their_size_is_told(table, executions):
    begin(executions, 1, 1, input=BIG, output={"a": 1})
    unreadable = DynamoExecutions(table, UnreadablePayloads())
    for condition in (EVERYTHING, one("workflowId", run_id(1)), Within(FIELD["updateTime"], 0, None)):
        page = unreadable.search(WorkflowQuery(condition))
        (run,) = page.workflows
        assert (run.input, run.output) == ({}, {"a": 1})
        assert page.left_out == {run_id(1): {"input": len(json_bytes(BIG))}}


def test_a_condition_on_content_looks_into_payloads_kept_apart(executions):
    begin(executions, 1, 1, input=BIG)
    begin(executions, 2, 1, input={"umlaut": "keine"})
    page = executions.search(WorkflowQuery(one("input", "GRÖSSE")))
    assert [run.input for run in page.workflows] == [BIG]
    assert page.left_out == {}


def test_what_a_run_costs_the_search_indexes(executions, meter, client):
    """Two writes at the start and four at the end, one more each with a correlation id and with a parent; a decision between: none."""
    plain, all_indexes = [], []
    for costs, fields in ((plain, {}), (all_indexes, {"correlation_id": "c", "parent_workflow_id": run_id(9)})):
        number = 50 + len(fields)
        for revision, status in ((1, WorkflowStatus.RUNNING), (2, WorkflowStatus.RUNNING), (3, WorkflowStatus.COMPLETED)):
            meter.take()
            executions.commit(decision(revision, workflow_id=run_id(number), update_time=T0, status=status, **fields))
            costs.append(sum(meter.take().writes))
    assert plain == [1 + 1 + 2, 1, 1 + 4]  # the row, its due entry, the indexes
    assert all_indexes == [1 + 1 + 4, 1, 1 + 6]


def test_what_the_hosts_that_a_run_asks_cost(executions, meter, rows):
    """The first: one index write when it is known, two at the end. Each further one: a row and its entry, and one check."""
    costs = []
    hosts = {"a.example": task_id(1), "b.example": task_id(2)}
    steps = (({}, "RUNNING"), (dict([*hosts.items()][:1]), "RUNNING"), (hosts, "RUNNING"), (hosts, "COMPLETED"))
    for revision, (known, status) in enumerate(steps, 1):
        asked = tuple(task(number) for number in range(1, len(known) + 1) if revision in (2, 3) and number == len(known))
        made = replace(decision(revision, update_time=T0, status=WorkflowStatus(status), vendor_hosts=known), tasks=asked)
        meter.take()
        assert executions.commit(made)
        before = sum(meter.take().writes)
        executions.settle_tasks(made)
        costs.append((before, meter.take().writes))
    row_and_entry = [2]  # of a task, in the index by its id
    assert costs == [(1 + 1 + 2, []), (1 + 1, row_and_entry), (1, [*row_and_entry, 1 + 1]), (1 + 4 + 2, [])]
    executions.remove(RUN)
    assert rows() == []


def test_runs_of_a_host_are_read_and_no_others(executions, meter):
    for number in range(12):
        host = "a.example" if number < 3 else "b.example"
        begin(executions, number, 1, vendor_hosts={host: task_id(1)}, status=WorkflowStatus.FAILED)
    meter.take()
    condition = Both(one("vendorHost", "a.example"), Both(one("status", "FAILED"), TOP_LEVEL))
    assert executions.search(WorkflowQuery(condition, size=2)).total_hits == 3
    bill = meter.take()
    assert bill.calls == ["Query"] * 4 + ["BatchGetItem"]  # two shards, with this status and of further hosts
    assert sum(bill.reads) == 4 / 2


def test_a_page_far_behind_costs_what_the_first_one_does_and_less(bounded, executions, meter):
    begin(executions, 1, 30)
    wanted = Both(one("status", "RUNNING"), TOP_LEVEL)
    meter.take()
    page = bounded.search(WorkflowQuery(wanted, size=3))
    first = meter.take()
    for _ in range(7):
        page = bounded.search(WorkflowQuery(wanted, size=3, after=page.last))
        later = meter.take()
        assert len(later.calls) <= len(first.calls)
        assert sum(later.reads) <= sum(first.reads)
    assert [run.workflow_id for run in page.workflows] == [run_id(number) for number in (9, 8, 7)]
    with pytest.raises(SearchTooBroad):
        bounded.search(WorkflowQuery(wanted, start=21, size=3))
