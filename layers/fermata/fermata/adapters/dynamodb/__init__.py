"""One DynamoDB table: runs, polls, definitions and the indexes over them."""

from fermata.adapters.dynamodb.definitions import DynamoDefinitions
from fermata.adapters.dynamodb.due_index import DynamoDueIndex
from fermata.adapters.dynamodb.events import DynamoEventExecutions, DynamoEventHandlers
from fermata.adapters.dynamodb.executions import DynamoExecutions
from fermata.adapters.dynamodb.operations import DynamoOperations
from fermata.adapters.dynamodb.polls import DynamoPolls
from fermata.adapters.dynamodb.schedules import DynamoSchedules
from fermata.adapters.dynamodb.state import DynamoStateRecords
from fermata.adapters.dynamodb.table import Table
from fermata.adapters.dynamodb.task_logs import DynamoTaskLogs
from fermata.adapters.dynamodb.work import DynamoWorkQueue

__all__ = [
    "DynamoDefinitions",
    "DynamoDueIndex",
    "DynamoEventExecutions",
    "DynamoEventHandlers",
    "DynamoExecutions",
    "DynamoOperations",
    "DynamoPolls",
    "DynamoSchedules",
    "DynamoStateRecords",
    "DynamoTaskLogs",
    "DynamoWorkQueue",
    "Table",
]
