"""A poll that answers "not yet" is one read unit and one write unit, at poll 3 as at poll 3,000; every twelfth packs the ledger."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fermata.adapters.dynamodb import DynamoPolls, keys, poll_rows
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.domain.polling import LedgerEntry, PollDecision, PollState

from tests.contracts.builders import RUN, T0, next_poll, spec, task_id
from tests.dynamodb.metering import WRITE_UNIT, item_size

DEFINITION = Path(__file__).parents[2] / "examples" / "http-poll-external-job.json"
TASK = task_id(1)
CYCLE = poll_rows.ENTRIES


@pytest.fixture
def polls(table):
    return DynamoPolls(table, MemoryPayloads())


@pytest.fixture
def open_poll(polls, meter):
    """The job the project is about, opened; its bill is taken."""
    tasks = json.loads(DEFINITION.read_text())["tasks"]
    polling = next(task for task in tasks if task["type"] == "HTTP_POLL")
    earlier = {"submit": {"output": {"response": {"statusCode": 202, "body": {"jobId": "8d1f", "statusUrl": "/jobs/8d1f"}}}}}
    polls.open(spec(input=polling["inputParameters"], context=earlier), T0)
    return meter.take()


def make_poll(polls, meter):
    """One poll as the application makes it; return its bill."""
    meter.take()
    state = polls.load(TASK).state
    assert polls.advance(next_poll(state))
    return meter.take()


def begin_at(client, polls_made):
    """Put the attempt where it would stand after that many polls."""
    state = PollState(TASK, RUN, T0, polls_made - CYCLE, started_at=T0)
    for _ in range(CYCLE):
        state = next_poll(state)
    change = {name: value for name, value in poll_rows.state_attributes(state).items() if value is not None}
    standing = client.get_item(TableName="t", Key=keys.hot(TASK))["Item"]
    client.put_item(TableName="t", Item={**standing, **change})


def test_opening_writes_two_rows_and_one_index_entry(open_poll):
    assert open_poll.calls == ["PutItem", "PutItem"]
    assert sum(open_poll.writes) <= 2 + 1 + 1  # specification (up to 2 KB), hot row, index


def test_a_poll_is_one_query_and_one_update(polls, meter, open_poll):
    for _ in range(CYCLE):
        bill = make_poll(polls, meter)
        assert bill.calls == ["Query", "UpdateItem"]
        assert (bill.reads, bill.writes) == ([1], [1])


def test_every_twelfth_poll_packs_the_ledger_and_none_writes_more_than_two_units(polls, meter, open_poll):
    bills = [make_poll(polls, meter) for _ in range(4 * CYCLE + 1)]
    packing = [number for number, bill in enumerate(bills, 1) if bill.calls == ["Query", "PutItem", "UpdateItem"]]
    assert packing == [CYCLE + 1, 2 * CYCLE + 1, 3 * CYCLE + 1, 4 * CYCLE + 1]
    assert {bill.calls[0] for bill in bills} == {"Query"}
    assert max(sum(bill.writes) for bill in bills) == 2
    assert {sum(bill.reads) for bill in bills} == {1}
    assert sum(sum(bill.writes) for bill in bills) / len(bills) < 1.1
    assert [entry.poll for entry in polls.ledger(TASK)] == list(range(1, 4 * CYCLE + 2))


@pytest.mark.parametrize("polls_made", [3_000, 30_000])
def test_a_late_poll_costs_what_an_early_one_does(client, polls, meter, open_poll, polls_made):
    early = [make_poll(polls, meter) for _ in range(2 * CYCLE)][CYCLE:]  # beginning, like the late ones, with a full row
    begin_at(client, polls_made)
    late = [make_poll(polls, meter) for _ in range(CYCLE)]
    assert late == early
    assert sum(sum(bill.writes) for bill in late) / CYCLE <= 1.25
    assert polls.load(TASK).state.polls_made == polls_made + CYCLE


def test_a_stale_poll_changes_nothing_in_one_call(polls, meter, open_poll):
    state = polls.load(TASK).state
    polls.advance(next_poll(state))
    meter.take()
    assert not polls.advance(next_poll(state))
    assert meter.take().calls == ["UpdateItem"]


def test_closing_writes_the_row_and_its_index_entry_once(polls, meter, open_poll):
    polls.close(TASK)
    bill = meter.take()
    assert (bill.calls, bill.writes) == (["UpdateItem"], [2])


def test_a_poll_that_failed_between_pack_and_row_leaves_no_entry_twice(client, polls, open_poll):
    for _ in range(CYCLE):
        assert polls.advance(next_poll(polls.load(TASK).state))
    state = polls.load(TASK).state
    client.put_item(TableName="t", Item={**keys.pack(TASK, 1), "r": {"S": poll_rows.written(state.recent)}})
    assert [entry.poll for entry in polls.ledger(TASK)] == list(range(1, CYCLE + 1))
    assert polls.advance(next_poll(state))
    assert [entry.poll for entry in polls.ledger(TASK)] == list(range(1, CYCLE + 2))


FAR = datetime(9998, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)


def worst_entries():
    """Twelve entries whose every number is as long as it can be: due times leap over eight millennia, back and forth."""
    moments = (T0, FAR)
    return tuple(
        LedgerEntry(10**9 + each, moments[each % 2], moments[1 - each % 2], timedelta(minutes=15), 599, PollDecision.EXHAUSTED, T0)
        for each in range(CYCLE)
    )


def test_the_hot_row_and_a_pack_stay_under_one_write_unit_at_worst(polls, rows):
    polls.open(spec(), FAR - timedelta(days=1))
    before = PollState(TASK, RUN, FAR, polls_made=10**9 - 1)
    worst = PollState(TASK, RUN, FAR, 10**9, 10**6, started_at=FAR, is_open=False, recent=worst_entries())
    change = {name: value for name, value in poll_rows.state_attributes(worst).items() if value is not None}
    hot = {**next(row for row in rows() if row["sk"]["S"] == keys.HOT_ROW), **change, "ttl": {"N": str(10**10 - 1)}}
    pack = {**keys.pack(TASK, 10**9), "r": {"S": poll_rows.written(worst.recent)}, "ttl": {"N": str(10**10 - 1)}}
    assert before.polls_made < worst.polls_made
    assert item_size(hot) < WRITE_UNIT
    assert item_size(pack) < WRITE_UNIT
    assert tuple(poll_rows.read(change["r"]["S"])) == worst.recent
