"""The few calls we make of DynamoDB, on one table, with its conditions as answers and its errors as ours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from fermata.adapters.aws import Client, Refused, call
from fermata.adapters.dynamodb.keys import Key
from fermata.domain.errors import TransientError

Item: TypeAlias = Mapping[str, Any]  # attribute name -> {"S": ...} | {"N": ...} | {"B": ...} | {"M": ...}

BATCH = 100  # keys in one BatchGetItem (DynamoDB's limit)
EMPTY_ROUNDS = 3  # batch answers without a single item before giving up: the table is throttled

_CONDITION = frozenset({"ConditionalCheckFailedException"})


def number(value: int) -> Item:
    return {"N": str(value)}


def text(value: str) -> Item:
    return {"S": value}


class Table:
    """One table. Every read is strongly consistent, except on an index, where DynamoDB offers none."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._name = name

    def get(self, key: Key, only: str | None = None) -> Item | None:
        """Return one item, or of it the attributes named in `only`."""
        params = {"TableName": self._name, "Key": key, "ConsistentRead": True}
        if only:
            params["ProjectionExpression"] = only
        item: Item | None = call(self._client.get_item, params).get("Item")
        return item

    def put(self, item: Item, condition: str | None = None, values: Item | None = None) -> Item | None:
        """Write an item whole. Return None when it was written, or the one that stands there when the condition failed."""
        params: dict[str, Any] = {"TableName": self._name, "Item": item}
        if condition:
            params |= {"ConditionExpression": condition, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        if values:
            params["ExpressionAttributeValues"] = values
        try:
            call(self._client.put_item, params, _CONDITION)
        except Refused as refused:
            standing: Item = refused.answer.get("Item", {})
            return standing
        return None

    def update(self, key: Key, change: Mapping[str, Item | None], condition: str, values: Item, returning: str = "NONE") -> Item | None:
        """Set attributes (None removes one) if `condition` holds, whose `:names` are in `values`. Return None when it does not.

        `returning` is DynamoDB's ReturnValues; the answer is {} with "NONE".
        """
        names = {f"#{name}": name for name in change}
        sets = {name: value for name, value in change.items() if value is not None}
        removed = [f"#{name}" for name, value in change.items() if value is None]
        expression = ("SET " + ", ".join(f"#{name} = :set_{name}" for name in sets)) if sets else ""
        expression += (" REMOVE " + ", ".join(removed)) if removed else ""
        params: dict[str, Any] = {
            "TableName": self._name,
            "Key": key,
            "UpdateExpression": expression.strip(),
            "ConditionExpression": condition,
            "ExpressionAttributeNames": names,
            "ReturnValues": returning,
        }
        if all_values := {**values, **{f":set_{name}": value for name, value in sets.items()}}:
            params["ExpressionAttributeValues"] = all_values
        try:
            answer: Item = call(self._client.update_item, params, _CONDITION).get("Attributes", {})
        except Refused:
            return None
        return answer

    def delete(self, key: Key, condition: str = "attribute_exists(pk)", values: Item | None = None) -> bool:
        """Return False when there was nothing, or nothing that meets the condition."""
        params: dict[str, Any] = {"TableName": self._name, "Key": key, "ConditionExpression": condition}
        if values:
            params["ExpressionAttributeValues"] = values
        try:
            call(self._client.delete_item, params, _CONDITION)
        except Refused:
            return False
        return True

    def query(self, condition: str, values: Item, **options: Any) -> Iterator[Item]:
        """Yield the items of a key condition, page by page as they are taken. `options` are Query's own, such as `Limit`."""
        for page in self.pages(condition, values, **options):
            yield from page["Items"]

    def pages(self, condition: str, values: Item, **options: Any) -> Iterator[Mapping[str, Any]]:
        """Yield the answers to a Query until there are no more."""
        params = {"TableName": self._name, "KeyConditionExpression": condition, "ExpressionAttributeValues": values, **options}
        if "IndexName" not in options:
            params["ConsistentRead"] = True
        while True:
            page = call(self._client.query, params)
            yield page
            if "LastEvaluatedKey" not in page:
                return
            params["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def batch_get(self, keys: Sequence[Key], only: str | None = None) -> Iterator[Item]:
        """Yield those of the items that exist, in any order. Raises `TransientError` when DynamoDB keeps leaving some out."""
        for start in range(0, len(keys), BATCH):
            yield from self._batch(keys[start : start + BATCH], only)

    def _batch(self, keys: Sequence[Key], only: str | None) -> Iterator[Item]:
        request: dict[str, Any] = {"Keys": list(keys), "ConsistentRead": True}
        if only:
            request["ProjectionExpression"] = only
        asked: Mapping[str, Any] = {self._name: request}
        empty_rounds = 0
        while asked:
            answer = call(self._client.batch_get_item, {"RequestItems": asked})
            items = answer["Responses"].get(self._name, [])
            yield from items
            asked = answer.get("UnprocessedKeys") or {}
            empty_rounds = 0 if items else empty_rounds + 1
            if asked and empty_rounds >= EMPTY_ROUNDS:
                raise TransientError("BatchGetItem keeps leaving keys unprocessed: the table is throttled.")
