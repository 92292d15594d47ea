"""The implementations that each contract suite runs on: memory, moto's AWS, and for races ministack's."""

import contextlib
import functools
import importlib.util
import itertools
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass

import boto3
import pytest
from botocore.config import Config
from fermata.adapters.dynamodb import schema
from fermata.adapters.dynamodb.definitions import DynamoDefinitions
from fermata.adapters.dynamodb.due_index import DynamoDueIndex
from fermata.adapters.dynamodb.events import DynamoEventExecutions, DynamoEventHandlers
from fermata.adapters.dynamodb.executions import DynamoExecutions
from fermata.adapters.dynamodb.operations import DynamoOperations
from fermata.adapters.dynamodb.polls import DynamoPolls
from fermata.adapters.dynamodb.schedules import DynamoSchedules
from fermata.adapters.dynamodb.table import Table
from fermata.adapters.dynamodb.task_logs import DynamoTaskLogs
from fermata.adapters.dynamodb.work import DynamoWorkQueue
from fermata.adapters.memory.definitions import MemoryDefinitions
from fermata.adapters.memory.due_index import MemoryDueIndex
from fermata.adapters.memory.events import MemoryEventExecutions, MemoryEventHandlers
from fermata.adapters.memory.executions import MemoryExecutions
from fermata.adapters.memory.operations import MemoryOperations
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.adapters.memory.polls import MemoryPolls
from fermata.adapters.memory.schedules import MemorySchedules
from fermata.adapters.memory.work import MemoryTaskLogs, MemoryWorkQueue
from fermata.ports import (
    Definitions,
    DueIndex,
    EventExecutions,
    EventHandlers,
    Executions,
    Operations,
    Polls,
    Schedules,
    TaskLogs,
    WorkQueue,
)
from moto import mock_aws

REGION = "eu-west-1"
START_SECONDS = 20
_numbers = itertools.count()


@dataclass(frozen=True)
class Store:
    executions: Executions
    polls: Polls
    due: DueIndex
    definitions: Definitions
    work: WorkQueue
    task_logs: TaskLogs
    operations: Operations
    schedules: Schedules
    event_handlers: EventHandlers
    event_executions: EventExecutions


@functools.cache  # making a client takes longer than most tests here, and it knows nothing of the mock that is on
def aws_client(service, endpoint=None):
    return boto3.client(
        service,
        region_name=REGION,
        endpoint_url=endpoint,
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
        config=Config(retries={"total_max_attempts": 1}),
    )


def memory_store():
    due = MemoryDueIndex()
    events = (MemoryEventHandlers(), MemoryEventExecutions())
    work, logs, schedules = MemoryWorkQueue(due), MemoryTaskLogs(), MemorySchedules(due)
    return Store(MemoryExecutions(due), MemoryPolls(due), due, MemoryDefinitions(), work, logs, MemoryOperations(), schedules, *events)


def dynamodb_store(client, name="t"):
    schema.create_table(client, name)
    table, payloads = Table(client, name), MemoryPayloads()
    executions, polls = DynamoExecutions(table, payloads), DynamoPolls(table, payloads)
    work, logs, steered = DynamoWorkQueue(table, payloads), DynamoTaskLogs(table, payloads), DynamoOperations(table)
    events = (DynamoEventHandlers(table), DynamoEventExecutions(table, None))
    return Store(executions, polls, DynamoDueIndex(table), DynamoDefinitions(table), work, logs, steered, DynamoSchedules(table), *events)


@pytest.fixture
def aws():
    """A function that gives clients of a fresh AWS, played by moto."""
    with mock_aws():
        yield aws_client


@pytest.fixture(params=["memory", "moto"])
def store(request):
    return _store(request)


def _store(request):
    if request.param == "memory":
        return memory_store()
    return dynamodb_store(request.getfixturevalue("aws")("dynamodb"))


@pytest.fixture(params=["memory", "moto", "ministack"])
def every_store(request):
    """For what a second opinion on DynamoDB is worth its time."""
    return request.getfixturevalue("store_in_ministack") if request.param == "ministack" else _store(request)


@pytest.fixture(params=["memory", "ministack"])
def racing_store(request):
    # Moto loses updates when threads meet; ministack does not.
    return memory_store() if request.param == "memory" else request.getfixturevalue("store_in_ministack")


@pytest.fixture
def store_in_ministack(ministack):
    return dynamodb_store(aws_client("dynamodb", ministack), f"table-{os.getpid()}-{next(_numbers)}")


@pytest.fixture(scope="session")
def ministack():
    """Start an AWS that keeps its promises under threads, once for each test process, on a free port. Yield its address."""
    if importlib.util.find_spec("ministack") is None:
        pytest.skip("ministack is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(port),
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "SERVICES": "dynamodb",
            "TMPDIR": folder,
        }
        command = [sys.executable, "-m", "ministack"]
        process = subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield _answering(process, f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(10)


def _answering(process, address):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_ministack/health", timeout=1):
            return address
        time.sleep(0.1)  # noqa: TID251 - another process starts in its own time
    pytest.fail(f"ministack did not answer at {address}")
