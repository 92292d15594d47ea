"""What a vendor said stands in the hot row and the packs without making them cost more."""

from dataclasses import replace

import pytest
from fermata.adapters.dynamodb import DynamoPolls, keys, poll_rows
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.domain.polling import PollState
from fermata.domain.remote_state import remote_state

from tests.contracts.builders import RUN, T0, next_poll, spec, task_id
from tests.dynamodb.metering import WRITE_UNIT, item_size
from tests.dynamodb.test_poll_cost import FAR, worst_entries

WORST = "\U0001f600" * 6  # 24 bytes


@pytest.mark.parametrize("word", [WORST, "x" * 24, "/" * 24])
def test_the_hot_row_and_a_pack_stay_under_one_write_unit_though_the_state_changes_at_every_poll(client, table, word):
    assert remote_state({"body": word}) == word
    DynamoPolls(table, MemoryPayloads()).open(spec(), FAR)
    entries = tuple(replace(entry, remote_state=word) for entry in worst_entries())
    worst = PollState(task_id(1), RUN, FAR, 10**9, 10**6, started_at=FAR, recent=entries, remote_state=word, remote_since=FAR)
    change = {name: value for name, value in poll_rows.state_attributes(worst).items() if value is not None}
    stored = client.get_item(TableName="t", Key=keys.hot(task_id(1)))["Item"]
    assert item_size({**stored, **change, "ttl": {"N": str(10**10 - 1)}}) < WRITE_UNIT
    pack = {**keys.pack(task_id(1), 10**9), "r": {"S": poll_rows.written(entries)}, "ttl": {"N": str(10**10 - 1)}}
    assert item_size(pack) < WRITE_UNIT


def test_of_changes_at_every_poll_the_newest_are_kept():
    state = PollState(task_id(1), RUN, T0)
    for number in range(poll_rows.ENTRIES):
        state = next_poll(state)
        recent = (*state.recent[:-1], replace(state.recent[-1], remote_state=str(number)))
        state = replace(state, recent=recent)
    told = [entry.remote_state for entry in poll_rows.read(poll_rows.written(state.recent))]
    assert told == [None] * 6 + ["6", "7", "8", "9", "10", "11"]


def test_a_poll_that_hears_nothing_new_writes_what_it_wrote_before(table, meter):
    polls = DynamoPolls(table, MemoryPayloads())
    polls.open(spec(), T0)
    state = next_poll(PollState(task_id(1), RUN, T0), remote_state="RUNNING", remote_since=T0)
    state = replace(state, recent=(replace(state.recent[0], remote_state="RUNNING"),))
    assert polls.advance(state)
    meter.take()
    assert polls.advance(next_poll(state))
    assert (meter.take().writes, polls.load(task_id(1)).state) == ([1], next_poll(state))
