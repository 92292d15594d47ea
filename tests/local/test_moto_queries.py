"""The local cloud's own way through moto's table finds what moto's finds."""

from unittest.mock import patch

import boto3
import pytest
from fermata.adapters.dynamodb import schema
from fermata_local import environment, moto_internals
from fermata_local.clocks import RealClock
from moto.dynamodb.models.table import Table

PARTITION = ("pk = :v", {":v": {"S": "p1"}}, {})
INDEX = ("qk = :v AND qt <= :t", {":v": {"S": "q#1"}, ":t": {"N": "70"}}, {"IndexName": "queue"})
QUERIES = {
    "partition": PARTITION,
    "partition backwards": (*PARTITION[:2], {"ScanIndexForward": False, "Limit": 3}),
    "partition by prefix": ("pk = :v AND begins_with(sk, :s)", {":v": {"S": "p1"}, ":s": {"S": "r1"}}, {}),
    "no such partition": ("pk = :v", {":v": {"S": "none"}}, {}),
    "index": INDEX,
    "index in pages": (*INDEX[:2], {**INDEX[2], "Limit": 2}),
    "index counted": (*INDEX[:2], {**INDEX[2], "Select": "COUNT"}),
    "no such index key": ("qk = :v", {":v": {"S": "none"}}, {"IndexName": "queue"}),
}


@pytest.fixture(scope="module")
def table():
    with environment.applied(environment.variables(None)), moto_internals.running(RealClock()):
        client = boto3.client("dynamodb")
        schema.create_table(client, "t")
        for number in range(40):
            indexed = {"qk": {"S": f"q#{number % 3}"}, "qt": {"N": str(90 - number * 2)}} if number % 4 else {}
            client.put_item(TableName="t", Item={"pk": {"S": f"p{number % 5}"}, "sk": {"S": f"r{number}"}, **indexed})
        yield client


def pages(client, query):
    condition, values, options = query
    paginator = client.get_paginator("query")
    found = paginator.paginate(TableName="t", KeyConditionExpression=condition, ExpressionAttributeValues=values, **options)
    return [{key: page[key] for key in page if key != "ResponseMetadata"} for page in found]


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_answered_as_by_moto_itself(table, name):
    ours = pages(table, QUERIES[name])
    with patch.object(Table, "query", moto_internals._moto_query):
        assert ours == pages(table, QUERIES[name])
    assert name.startswith("no ") or sum(page["Count"] for page in ours) >= 3
