"""The local cloud's own way through moto's table finds what moto's finds."""

from unittest.mock import patch

import boto3
import pytest
from fermata.adapters.dynamodb import schema
from fermata_local import environment, moto_internals
from fermata_local.clocks import RealClock
from fermata_local.moto_table import OrderedTable
from moto.dynamodb.models.table import Table

PARTITION = ("pk = :v", {":v": {"S": "p1"}}, {})
INDEX = ("qk = :v AND qt <= :t", {":v": {"S": "q#1"}, ":t": {"N": "70"}}, {"IndexName": "queue"})
VALUES = {":v": {"S": "p2"}, ":a": {"S": "r17"}, ":b": {"S": "r3"}}


def compared(condition, **options):
    used = {name: value for name, value in VALUES.items() if name in f"pk = :v AND {condition}"}
    return f"pk = :v AND {condition}", used, options


QUERIES = {
    "partition": PARTITION,
    "partition backwards": (*PARTITION[:2], {"ScanIndexForward": False, "Limit": 3}),
    "partition by prefix": ("pk = :v AND begins_with(sk, :s)", {":v": {"S": "p1"}, ":s": {"S": "r1"}}, {}),
    "partition between": compared("sk BETWEEN :a AND :b"),
    "partition between, backwards in pages": compared("sk BETWEEN :a AND :b", ScanIndexForward=False, Limit=2),
    "partition below": compared("sk < :b", Limit=2),
    "partition up to": compared("sk <= :b", ScanIndexForward=False, Limit=1),
    "partition above": compared("sk > :a", Limit=2),
    "partition from": compared("sk >= :a", ScanIndexForward=False, Limit=3),
    "no such partition": ("pk = :v", {":v": {"S": "none"}}, {}),
    "index": INDEX,
    "index in pages": (*INDEX[:2], {**INDEX[2], "Limit": 2}),
    "index counted": (*INDEX[:2], {**INDEX[2], "Select": "COUNT"}),
    "index without a range key": ("tk = :v", {":v": {"S": "t1"}}, {"IndexName": "task", "Limit": 2}),
    "no such index key": ("qk = :v", {":v": {"S": "none"}}, {"IndexName": "queue"}),
}


@pytest.fixture(scope="module")
def table():
    with environment.applied(environment.variables(None)), moto_internals.running(RealClock()):
        client = boto3.client("dynamodb")
        schema.create_table(client, "t")
        for number in range(40):
            indexed = {"qk": {"S": f"q#{number % 3}"}, "qt": {"N": str(90 - number * 2)}} if number % 4 else {}
            row = {"pk": {"S": f"p{number % 5}"}, "sk": {"S": f"r{number}"}, "tk": {"S": f"t{number % 4}"}, **indexed}
            client.put_item(TableName="t", Item=row)
        yield client


def pages(client, query):
    condition, values, options = query
    paginator = client.get_paginator("query")
    found = paginator.paginate(TableName="t", KeyConditionExpression=condition, ExpressionAttributeValues=values, **options)
    return [{key: page[key] for key in page if key != "ResponseMetadata"} for page in found]


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_answered_as_by_moto_itself(table, name):
    ours = pages(table, QUERIES[name])
    with patch.object(OrderedTable, "query", Table.query):
        assert ours == pages(table, QUERIES[name])
    assert name.startswith("no ") or sum(page["Count"] for page in ours) >= 3


def rows(client, query):
    return [item["sk"]["S"] for page in pages(client, query) for item in page["Items"]]


def test_an_index_follows_what_a_row_becomes(table):
    """In its place by an update, whole by a put, gone by a delete; out of a sparse index by losing a key."""
    key = {"pk": {"S": "moving"}, "sk": {"S": "m"}}

    def found():
        return [rows(table, ("qk = :v", {":v": {"S": queue}}, {"IndexName": "queue"})) for queue in ("here", "there")]

    assert found() == [[], []]
    table.update_item(
        TableName="t",
        Key=key,
        UpdateExpression="SET qk = :q, qt = :t",
        ExpressionAttributeValues={":q": {"S": "here"}, ":t": {"N": "1"}},
    )
    assert found() == [["m"], []]
    table.put_item(TableName="t", Item={**key, "qk": {"S": "there"}, "qt": {"N": "9"}})
    assert found() == [[], ["m"]]
    table.update_item(TableName="t", Key=key, UpdateExpression="REMOVE qt")
    assert found() == [[], []]
    table.put_item(TableName="t", Item={**key, "qk": {"S": "here"}, "qt": {"N": "9"}})
    table.delete_item(TableName="t", Key=key)
    assert found() == [[], []]


QUERIES_OF_MANY = {
    "few of a partition": ("pk = :v", {":v": {"S": "many"}}, {"Limit": 3}, 4),
    "few of an index": ("qk = :v AND qt <= :t", {":v": {"S": "q"}, ":t": {"N": "20"}}, {"Limit": 3, "IndexName": "queue"}, 4),
    "one of an index": ("tk = :v", {":v": {"S": "t7"}}, {"IndexName": "task"}, 1),
    "the first page of those due": ("dk = :v AND dt <= :t", {":v": {"S": "due"}, ":t": {"N": "4"}}, {"IndexName": "due"}, 6),
}


@pytest.mark.parametrize("size", [30, 120])
def test_a_query_looks_at_no_more_rows_when_the_table_and_the_partition_grow(table, size):
    """One row beyond the answer is looked at, to see whether another page follows."""
    name = f"t{size}"
    schema.create_table(table, name)
    for number in range(size):
        row = {"pk": {"S": "many"}, "sk": {"S": f"r{number}"}, "tk": {"S": f"t{number}"}}
        queued, due = ({"qk": {"S": "q"}, "qt": {"N": str(number)}}, {"dk": {"S": "due"}, "dt": {"N": str(number)}})
        table.put_item(TableName=name, Item={**row, **queued, **due})
    for condition, values, options, expected in QUERIES_OF_MANY.values():
        before = moto_internals.rows_looked_at(name)
        table.query(TableName=name, KeyConditionExpression=condition, ExpressionAttributeValues=values, **options)
        assert moto_internals.rows_looked_at(name) - before == expected
