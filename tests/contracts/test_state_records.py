"""What every `StateRecords` promises."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from fermata.adapters.dynamodb import schema
from fermata.adapters.dynamodb.state import DynamoStateRecords
from fermata.adapters.dynamodb.table import Table
from fermata.adapters.memory.state import MemoryStateRecords
from fermata.domain.airpipe.records import REMEMBERED, StateRecord

RECORD = StateRecord("n", "k", {"a": [1, 2.5, None, "ü"]}, 1, "first", datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture(params=["memory", "moto"])
def records(request):
    if request.param == "memory":
        return MemoryStateRecords()
    client = request.getfixturevalue("aws")("dynamodb")
    schema.create_table(client, "t")
    return DynamoStateRecords(Table(client, "t"))


def test_a_record_comes_back_as_it_was_stored(records):
    assert records.load("n", "k") is None
    assert records.put(RECORD, None)
    assert records.load("n", "k") == RECORD


def test_a_record_is_stored_only_over_the_one_that_was_seen(records):
    assert not records.put(RECORD, "someone"), "nothing is stored that it could follow"
    assert records.put(RECORD, None)
    assert not records.put(replace(RECORD, stamp="second"), None)
    assert not records.put(replace(RECORD, stamp="second"), "other")
    assert records.put(replace(RECORD, stamp="second", expires_at=None), "first")
    assert records.load("n", "k") == replace(RECORD, stamp="second", expires_at=None)


def test_an_expired_record_is_shown_still(records):
    gone = replace(RECORD, value=None, operation="delete", expires_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert records.put(gone, None)
    assert records.load("n", "k") == gone


def test_the_table_keeps_an_expired_record_for_a_day(aws):
    client = aws("dynamodb")
    schema.create_table(client, "t")
    DynamoStateRecords(Table(client, "t")).put(RECORD, None)
    item = client.scan(TableName="t")["Items"][0]
    assert RECORD.expires_at is not None
    assert int(item["ttl"]["N"]) == (RECORD.expires_at + REMEMBERED).timestamp()


def test_namespaces_and_keys_do_not_run_into_each_other(records):
    for namespace, key in (("a", "b#c"), ("a#b", "c"), ("a", "b"), ("", "a#b")):
        assert records.put(replace(RECORD, namespace=namespace, key=key), None)


def test_one_of_many_wins():
    records = MemoryStateRecords()
    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(lambda number: records.put(replace(RECORD, stamp=str(number)), None), range(40)))
    assert won.count(True) == 1
