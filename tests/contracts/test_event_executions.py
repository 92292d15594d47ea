"""What every `EventExecutions` promises."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.events import KEPT_AT_LEAST, DynamoEventExecutions
from fermata.adapters.dynamodb.schema import create_table
from fermata.adapters.dynamodb.table import Table
from fermata.domain.event_handlers import EventExecution, EventStatus

NOW = datetime(2026, 3, 1, tzinfo=UTC)
BEGUN = EventExecution("h", "sqs:orders", "m1", 0, EventStatus.IN_PROGRESS, NOW, "start_workflow")
DONE = replace(BEGUN, status=EventStatus.COMPLETED, output={"workflowId": "w"})


def test_what_came_of_a_message_comes_back_by_index(store):
    second = replace(BEGUN, index=1)
    for execution in (second, BEGUN, DONE):
        store.event_executions.put(execution)
    assert list(store.event_executions.of_message("h", "sqs:orders", "m1")) == [DONE, second]


@pytest.mark.parametrize("asked", [("g", "sqs:orders", "m1"), ("h", "sqs:others", "m1"), ("h", "sqs:orders", "m2")])
def test_neither_handlers_nor_events_nor_messages_clash(store, asked):
    store.event_executions.put(BEGUN)
    assert list(store.event_executions.of_message(*asked)) == []


@pytest.mark.parametrize("late", [EventStatus.IN_PROGRESS, EventStatus.FAILED])
def test_what_is_over_stays_as_it_is(store, late):
    store.event_executions.put(DONE)
    store.event_executions.put(replace(BEGUN, status=late))
    assert list(store.event_executions.of_message("h", "sqs:orders", "m1")) == [DONE]


def test_an_events_executions_are_listed_newest_first(store):
    for minute in range(5):
        store.event_executions.put(replace(DONE, message_id=f"m{minute}", created=NOW + timedelta(minutes=minute)))
    store.event_executions.put(replace(DONE, event="sqs:others"))
    assert [each.message_id for each in store.event_executions.of_event("sqs:orders", 3)] == ["m4", "m3", "m2"]
    assert len(store.event_executions.of_event("sqs:orders", 100)) == 5


@pytest.mark.parametrize(("retention", "days"), [(None, 20), (timedelta(days=3), 20), (timedelta(days=90), 90)])
def test_they_are_kept_longer_than_a_message_may_come_again(aws, retention, days):
    client = aws("dynamodb")
    create_table(client, "t")
    DynamoEventExecutions(Table(client, "t"), retention).put(DONE)
    [row] = client.scan(TableName="t")["Items"]
    assert row["pk"]["S"].startswith(keys.event_execution("", 0)["pk"]["S"])
    assert int(row["ttl"]["N"]) == (NOW + timedelta(days=days)).timestamp()
    assert timedelta(days=20) == KEPT_AT_LEAST
