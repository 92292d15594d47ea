"""Creates in moto what `template.yaml` creates on AWS: table, queues with dead letters, a bus's rule, schedule group, bucket, secrets."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import boto3
from fermata.adapters.dynamodb import schema

from fermata_local import environment
from fermata_local.account import ACCOUNT

VISIBILITY_TIMEOUT_SECONDS = 1440  # six times the functions' timeout, as in the template
MAX_RECEIVE_COUNT = 5


def create(secrets: Mapping[str, str], event_queues: Sequence[str] = ()) -> None:
    """Create everything once, and queues of the user's. Moto must be running and the environment applied."""
    schema.create_table(boto3.client("dynamodb"), environment.TABLE)
    sqs, scheduler = boto3.client("sqs"), boto3.client("scheduler")  # one each: making a client takes longer than what it is made for
    for queue, dead in environment.DEAD_LETTERS.items():
        create_queue(sqs, queue, dead)
    for queue in event_queues:
        create_queue(sqs, queue, f"{queue}-dead")
    listen_to_bus()
    for group in (environment.GROUP, environment.RECURRING_GROUP):
        scheduler.create_schedule_group(Name=group)
    boto3.client("s3").create_bucket(Bucket=environment.BUCKET)
    if secrets:
        ssm = boto3.client("ssm")
        for name, value in secrets.items():
            ssm.put_parameter(Name=environment.SECRETS_PATH + name, Value=value, Type="SecureString")


def create_queue(sqs: Any, queue: str, dead: str) -> None:
    sqs.create_queue(QueueName=dead)
    redrive = {"deadLetterTargetArn": environment.queue_arn(dead), "maxReceiveCount": MAX_RECEIVE_COUNT}
    sqs.create_queue(
        QueueName=queue, Attributes={"VisibilityTimeout": str(VISIBILITY_TIMEOUT_SECONDS), "RedrivePolicy": json.dumps(redrive)}
    )


def listen_to_bus() -> None:
    """Let the events of the default bus come into the queue of events, as the template's rule does."""
    events = boto3.client("events")
    events.put_rule(Name="fermata-events", EventPattern=json.dumps({"account": [ACCOUNT]}))
    template = json.dumps({"event": f"eventbridge:{environment.BUS}", "busEvent": "?"}).replace('"?"', "<aws.events.event.json>")
    target = {"Id": "events", "Arn": environment.queue_arn(environment.EVENTS_QUEUE), "InputTransformer": {"InputTemplate": template}}
    events.put_targets(Rule="fermata-events", Targets=[target])
