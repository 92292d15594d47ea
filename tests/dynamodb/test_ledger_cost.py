"""A page that follows a poll reads what is new of its ledger, however long that is."""

import pytest
from fermata.adapters.dynamodb import DynamoPolls
from fermata.adapters.memory.payloads import MemoryPayloads

from tests.contracts.builders import T0, next_poll, spec, task_id


@pytest.fixture
def polls(table):
    """A poll made a hundred times: eight packs, four entries in the row."""
    made = DynamoPolls(table, MemoryPayloads())
    made.open(spec(), T0)
    for _ in range(100):
        made.advance(next_poll(made.load(task_id(1)).state))
    return made


@pytest.mark.parametrize(
    ("after", "most", "calls", "units"),
    [
        (99, None, ["GetItem"], 1),
        (100, None, ["GetItem"], 1),
        (80, None, ["GetItem", "Query"], 2),
        (0, 10, ["GetItem", "Query"], 2),
        (50, 10, ["GetItem", "Query"], 2),
        (0, None, ["GetItem", "Query"], 2),  # about 300 bytes a pack
    ],
)
def test_what_is_read(polls, meter, after, most, calls, units):
    meter.take()
    found = polls.ledger(task_id(1), after, most)
    assert [entry.poll for entry in found] == list(range(1, 101))[after:][:most]
    bill = meter.take()
    assert (bill.calls, sum(bill.reads)) == (calls, units)
