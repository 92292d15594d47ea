"""What the engine needs from outside, in its own words. Adapters fit outside things to these; each port has one contract suite."""

from fermata.ports.access import AccessKeys, Chance, SigningKeys
from fermata.ports.alarms import Alarms
from fermata.ports.clock import Clock, Ids, Pauses
from fermata.ports.definitions import Definitions
from fermata.ports.due import FIRST_LOOK_AFTER, OUTBOX_GRACE, DueEntry, DueIndex, DueKind
from fermata.ports.events import EventExecutions, EventHandlers, Sinks
from fermata.ports.executions import Executions, Glimpse, KeyHolder, StoredWorkflow
from fermata.ports.operations import Operations
from fermata.ports.outside import Evaluator, ExternalPayloads, HttpClient, Payloads, Secrets
from fermata.ports.polls import Polls
from fermata.ports.queries import WorkflowPage, WorkflowQuery
from fermata.ports.schedules import RecurrencePart, RecurrenceRefused, RecurringAlarms, Schedules
from fermata.ports.state import StateRecords
from fermata.ports.work import TaskLogs, WorkQueue

__all__ = [
    "FIRST_LOOK_AFTER",
    "OUTBOX_GRACE",
    "AccessKeys",
    "Alarms",
    "Chance",
    "Clock",
    "Definitions",
    "DueEntry",
    "DueIndex",
    "DueKind",
    "Evaluator",
    "EventExecutions",
    "EventHandlers",
    "Executions",
    "ExternalPayloads",
    "Glimpse",
    "HttpClient",
    "Ids",
    "KeyHolder",
    "Operations",
    "Pauses",
    "Payloads",
    "Polls",
    "RecurrencePart",
    "RecurrenceRefused",
    "RecurringAlarms",
    "Schedules",
    "Secrets",
    "SigningKeys",
    "Sinks",
    "StateRecords",
    "StoredWorkflow",
    "TaskLogs",
    "WorkQueue",
    "WorkflowPage",
    "WorkflowQuery",
]
