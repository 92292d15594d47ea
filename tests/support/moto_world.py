"""The engine of `world.py` over the real AWS adapters, with moto as AWS, and the calls it makes, counted."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO
from itertools import count
from typing import Any

import boto3
from botocore.config import Config
from fermata.adapters.alarms.one_shot import AwsAlarms
from fermata.adapters.alarms.recurring import AwsRecurringAlarms
from fermata.adapters.dynamodb import (
    DynamoDefinitions,
    DynamoDueIndex,
    DynamoEventExecutions,
    DynamoEventHandlers,
    DynamoExecutions,
    DynamoOperations,
    DynamoPolls,
    DynamoSchedules,
    DynamoStateRecords,
    DynamoTaskLogs,
    DynamoWorkQueue,
    Table,
    keys,
    schema,
)
from fermata.adapters.dynamodb.poll_rows import state_attributes
from fermata.adapters.memory.alarms import MemoryAlarms
from fermata.adapters.payloads import S3Payloads
from fermata.adapters.secrets import ParameterSecrets
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.messages import Message, PollDue
from fermata.settings import Settings
from moto import mock_aws

from tests.support.world import World, answer

REGION = "us-east-1"
ACCOUNT = "123456789012"
SERVICES = ("dynamodb", "s3", "scheduler", "sqs", "ssm")
BUCKET = "payloads"
GROUP = "fermata"
RECURRING = "fermata-recurring"
QUEUES = ("work", "wakeup")
_tables = count(1)


def new_client(service: str) -> Any:
    return _session().client(service, region_name=REGION, config=Config(retries={"total_max_attempts": 1}))


@cache
def _session() -> Any:
    return boto3.Session("testing", "testing")  # it keeps the services' models: only the first client of each takes long


@cache
def shared_client(service: str) -> Any:
    """Return the one client of this process; it knows nothing of the mock that is on."""
    return new_client(service)


@contextmanager
def fresh_aws() -> Iterator[None]:
    """Play an AWS with the deployment's bucket, queues and schedule group."""
    with mock_aws():
        shared_client("s3").create_bucket(Bucket=BUCKET)
        for group in (GROUP, RECURRING):
            shared_client("scheduler").create_schedule_group(Name=group)
        for queue in QUEUES:
            shared_client("sqs").create_queue(QueueName=queue)
        yield


def _settings(table: str) -> Settings:
    return Settings(
        table=table,
        work_queue_url=f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/work",
        wakeup_queue_url=f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/wakeup",
        schedule_group=GROUP,
        recurring_group=RECURRING,
        wakeup_target_arn=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:fermata-wakeup",
        scheduler_role_arn=f"arn:aws:iam::{ACCOUNT}:role/fermata-scheduler",
        scheduler_dlq_arn=f"arn:aws:sqs:{REGION}:{ACCOUNT}:wakeup-dead",
        payload_bucket=BUCKET,
    )


class _AwsAndMemoryAlarms(MemoryAlarms):
    """Arms on AWS, and keeps the message, because moto never fires what it is given."""

    def __init__(self, aws: AwsAlarms) -> None:
        super().__init__()
        self._aws = aws

    def send(self, message: Message, at: datetime, now: datetime) -> None:
        self._aws.send(message, at, now)
        super().send(message, at, now)


class MotoWorld(World):
    """A `World` whose every port to AWS is the deployed one, on a table of its own. Use it within `fresh_aws`.

    `client` makes the clients: shared ones by default. Vendor, clock and ids stay scripted.
    """

    def __init__(
        self, script: Callable[[HttpRequest], HttpResult] = lambda request: answer({}), *, client: Callable[[str], Any] = shared_client
    ) -> None:
        super().__init__(script)
        self.clients = {service: client(service) for service in SERVICES}
        self.table_name = f"fermata-{next(_tables)}"
        settings = _settings(self.table_name)
        schema.create_table(self.clients["dynamodb"], self.table_name)
        table = Table(self.clients["dynamodb"], self.table_name)
        payloads = S3Payloads(self.clients["s3"], BUCKET)
        self.alarms = _AwsAndMemoryAlarms(AwsAlarms(self.clients["sqs"], self.clients["scheduler"], settings))
        self.engine = replace(
            self.engine,
            definitions=DynamoDefinitions(table),
            executions=DynamoExecutions(table, payloads),
            polls=DynamoPolls(table, payloads),
            work=DynamoWorkQueue(table, payloads),
            task_logs=DynamoTaskLogs(table, payloads),
            operations=DynamoOperations(table),
            state=DynamoStateRecords(table),
            schedules=DynamoSchedules(table),
            due_index=DynamoDueIndex(table),
            alarms=self.alarms,
            recurring=AwsRecurringAlarms(self.clients["scheduler"], settings),
            secrets=ParameterSecrets(self.clients["ssm"], settings.secrets_path),
            event_handlers=DynamoEventHandlers(table),
            event_executions=DynamoEventExecutions(table, settings.retention),
        )

    def close(self) -> None:
        """Drop the table: what moto keeps of many worlds would slow the next ones down."""
        self.clients["dynamodb"].delete_table(TableName=self.table_name)

    def item(self, key: keys.Key) -> dict[str, Any]:
        """Return a stored item, asked for by another client than the engine's."""
        stored: dict[str, Any] = shared_client("dynamodb").get_item(TableName=self.table_name, Key=key)["Item"]
        return stored

    def leap(self, task_id: str, polls: int, interval: timedelta = timedelta(seconds=60)) -> None:
        """Put an HTTP_POLL attempt and the clock where they would stand after that many more polls that said "not yet".

        A multiple of 12 polls keeps the ledger's packs where they would lie. The message that waits for the next poll leaps, too.
        """
        poll = self.engine.polls.load(task_id)
        assert poll is not None
        state, later = poll.state, polls * interval
        recent = tuple(
            replace(
                entry,
                poll=entry.poll + polls,
                due=entry.due + later,
                fired=entry.fired + later,
                next_due=entry.next_due and entry.next_due + later,
            )
            for entry in state.recent
        )
        after = replace(state, polls_made=state.polls_made + polls, due=state.due + later, recent=recent)
        change = {name: value for name, value in state_attributes(after).items() if value is not None}
        shared_client("dynamodb").put_item(TableName=self.table_name, Item={**self.item(keys.hot(task_id)), **change})
        self.alarms.take_due(state.due)
        self.clock.advance(later)
        MemoryAlarms.send(self.alarms, PollDue(state.workflow_id, task_id, after.polls_made + 1), after.due, self.clock.now())


@dataclass(frozen=True)
class Call:
    """One call of an AWS service; the sizes are those of the request's and the answer's bodies."""

    name: str
    sent_bytes: int
    received_bytes: int


@dataclass
class Calls:
    """The calls that watched clients made since they were last taken, in order."""

    made: list[Call] = field(default_factory=list)
    _sent_bytes: int = 0

    def take(self) -> list[Call]:
        taken, self.made = self.made, []
        return taken

    def take_names(self) -> list[str]:
        return [call.name for call in self.take()]

    def asked(self, params: Any, **_: Any) -> None:
        body = params["body"] or b""
        self._sent_bytes = len(body.getbuffer() if isinstance(body, BytesIO) else body)

    def answered(self, model: Any, http_response: Any, **_: Any) -> None:
        name = f"{model.service_model.service_name}.{model.name}"
        self.made.append(Call(name, self._sent_bytes, len(http_response.content)))


def watch(clients: Iterable[Any]) -> Calls:
    """Count every call of these clients from now on, all used by one thread."""
    calls = Calls()
    for client in clients:
        client.meta.events.register("before-call", calls.asked)
        client.meta.events.register("after-call", calls.answered)
    return calls
