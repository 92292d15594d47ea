"""The table: its keys, indexes, time to live and backups. The deployed template says the same, and a test compares them."""

from collections.abc import Mapping
from typing import Any

from fermata.adapters.aws import Client, Refused, call

# Attribute names are stored, paid for and read with every item: they are short here and explained here, once.
#   pk, sk   the partition and the row in it, see keys.py
#   dk, dt   due index: shard, and epoch ms when the sweeper looks          sparse: absent where nothing is due
#   w        the run a poll belongs to (its partition is the task's)
#   tk       task index: the task id
#   st       search indexes: epoch ms of the start and the id;  sh: status and shard;  th: type, status and shard;  ck: correlation id;
#            pw: parent's id;  vh: host that is asked, status and shard;
#            and what else they tell: wt, vn, ss, ci, et: type, version, status, correlation id, epoch ms of the end
#   qk, qt   queue index: a workers' queue and shard, and epoch ms from when a worker may take it   sparse: absent once it is taken
#   ttl      epoch seconds after which DynamoDB may drop the row
DUE_INDEX = "due"
TASK_INDEX = "task"
SEARCH_INDEX = "search"
TYPE_INDEX = "search-type"
CORRELATION_INDEX = "search-correlation"
PARENT_INDEX = "search-parent"
HOST_INDEX = "search-host"
QUEUE_INDEX = "queue"
TTL_ATTRIBUTE = "ttl"
BILLING_MODE = "PAY_PER_REQUEST"
POINT_IN_TIME_RECOVERY = True

KEY_SCHEMA = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
ATTRIBUTE_DEFINITIONS = [
    {"AttributeName": "pk", "AttributeType": "S"},
    {"AttributeName": "sk", "AttributeType": "S"},
    {"AttributeName": "dk", "AttributeType": "S"},
    {"AttributeName": "dt", "AttributeType": "N"},
    {"AttributeName": "tk", "AttributeType": "S"},
    {"AttributeName": "sh", "AttributeType": "S"},
    {"AttributeName": "th", "AttributeType": "S"},
    {"AttributeName": "ck", "AttributeType": "S"},
    {"AttributeName": "pw", "AttributeType": "S"},
    {"AttributeName": "vh", "AttributeType": "S"},
    {"AttributeName": "st", "AttributeType": "S"},
    {"AttributeName": "qk", "AttributeType": "S"},
    {"AttributeName": "qt", "AttributeType": "N"},
]
_TOLD_BY_SEARCH = ("wt", "vn", "ss", "ci", "pw", "et")


def _search_index(name: str, partition: str) -> Mapping[str, Any]:
    return {
        "IndexName": name,
        "KeySchema": [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": "st", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": [told for told in _TOLD_BY_SEARCH if told != partition]},
    }


GLOBAL_SECONDARY_INDEXES: list[Mapping[str, Any]] = [
    {
        "IndexName": DUE_INDEX,
        "KeySchema": [{"AttributeName": "dk", "KeyType": "HASH"}, {"AttributeName": "dt", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["w"]},
    },
    {
        "IndexName": TASK_INDEX,
        "KeySchema": [{"AttributeName": "tk", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    },
    # Written at the start of a run and when its status changes: what else moves with a commit is not in them.
    _search_index(SEARCH_INDEX, "sh"),
    _search_index(TYPE_INDEX, "th"),
    _search_index(CORRELATION_INDEX, "ck"),
    _search_index(PARENT_INDEX, "pw"),
    _search_index(HOST_INDEX, "vh"),
    {
        "IndexName": QUEUE_INDEX,
        "KeySchema": [{"AttributeName": "qk", "KeyType": "HASH"}, {"AttributeName": "qt", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    },
]

_EXISTS = frozenset({"ResourceInUseException"})


def create_table(client: Client, name: str) -> None:
    """Create the table for tests and the local cloud. "Already exists" is success."""
    params = {
        "TableName": name,
        "BillingMode": BILLING_MODE,
        "KeySchema": KEY_SCHEMA,
        "AttributeDefinitions": ATTRIBUTE_DEFINITIONS,
        "GlobalSecondaryIndexes": GLOBAL_SECONDARY_INDEXES,
    }
    try:
        call(client.create_table, params, _EXISTS)
    except Refused:
        return
    ttl = {"TableName": name, "TimeToLiveSpecification": {"AttributeName": TTL_ATTRIBUTE, "Enabled": True}}
    call(client.update_time_to_live, ttl)
