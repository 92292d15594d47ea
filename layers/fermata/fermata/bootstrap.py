"""The one place that joins ports to adapters. AWS clients are made on first use and kept for a warm function."""

from collections.abc import Callable
from functools import cache
from typing import Any

import boto3
from botocore.config import Config

from fermata.adapters.clock import SystemChance, SystemClock, SystemPauses, UuidIds
from fermata.application.access import Access
from fermata.application.engine import Engine
from fermata.domain.access import LONGEST_TOKEN_LIFE, Authorization
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.questions import Evaluate, EvaluationResult
from fermata.ports import Clock, Evaluator, HttpClient, Pauses
from fermata.settings import Settings, read

_clocks: list[Clock] = [SystemClock()]
_pauses: list[Pauses] = [SystemPauses()]


def use_clock(clock: Clock, pauses: Pauses | None = None) -> None:
    """Let every engine of this process live by `clock`, and its callers wait by `pauses`, the system's by default.

    The laptop and tests call it before the first `engine()`.
    """
    _clocks[:] = [clock]
    _pauses[:] = [pauses or SystemPauses()]
    engine.cache_clear()
    api.cache_clear()
    authorizer.cache_clear()
    airpipe.cache_clear()
    access.cache_clear()
    _client.cache_clear()


@cache
def engine() -> Engine:
    """Return the engine of this process, joined as the environment says."""
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
    )
    from fermata.adapters.external_payloads import S3ExternalPayloads
    from fermata.adapters.payloads import S3Payloads
    from fermata.adapters.secrets import ParameterSecrets
    from fermata.adapters.sinks import AwsSinks

    settings = read()
    payloads = S3Payloads(_OnFirstUse("s3"), settings.payload_bucket)
    table = Table(_client("dynamodb"), settings.table)
    return Engine(
        clock=_clocks[0],
        ids=UuidIds(),
        definitions=DynamoDefinitions(table),
        executions=DynamoExecutions(table, payloads, settings.retention),
        polls=DynamoPolls(table, payloads),
        work=DynamoWorkQueue(table, payloads),
        task_logs=DynamoTaskLogs(table, payloads),
        operations=DynamoOperations(table),
        schedules=DynamoSchedules(table),
        state=DynamoStateRecords(table),
        due_index=DynamoDueIndex(table),
        alarms=AwsAlarms(_client("sqs"), _client("scheduler"), settings),
        recurring=AwsRecurringAlarms(_client("scheduler"), settings),
        http=_LazyHttpClient(settings),
        evaluator=_LazyEvaluator(settings),
        secrets=ParameterSecrets(_OnFirstUse("ssm"), settings.secrets_path),
        pauses=_pauses[0],
        sinks=AwsSinks(_client("sqs"), _OnFirstUse("events"), settings.events_queue_url),
        event_handlers=DynamoEventHandlers(table),
        event_executions=DynamoEventExecutions(table, settings.retention),
        external=S3ExternalPayloads(_OnFirstUse("s3"), settings.payload_bucket, SystemChance(), settings.payload_url),
        access=access() if _authorization(settings) is Authorization.KEYS else None,
        min_poll_interval=settings.min_poll_interval,
        environment=settings.expression_env,
        limits=settings.limits,
        longest_hold=settings.longest_hold,
        worker_hold=settings.worker_hold,
        airpipe_prefix=settings.airpipe_prefix,
    )


@cache
def api() -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """Return the REST door's handler. Only the api function pays for importing the router."""
    from fermata.api.app import create

    return create(engine(), authorization=_authorization(read()))


@cache
def airpipe() -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """Return the handler of the door for Air Pipe's interfaces. It needs no router: its routes are in the table."""
    from fermata.api.airpipe import create
    from fermata.application.airpipe.serving import Place

    return create(engine(), Place(engine().airpipe_prefix), _authorization(read()))


@cache
def authorizer() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return the authorizer door's handler. It needs the keys, not the engine."""
    from fermata.api.authorizer import create

    return create(access())


@cache
def access() -> Access:
    from fermata.adapters.dynamodb.access_keys import DynamoAccessKeys
    from fermata.adapters.dynamodb.table import Table
    from fermata.adapters.signing_keys import ParameterSigningKeys

    settings = read()
    return Access(
        keys=DynamoAccessKeys(Table(_client("dynamodb"), settings.table)),
        signing=ParameterSigningKeys(_OnFirstUse("ssm"), settings.signing_keys_path),
        chance=SystemChance(),
        clock=_clocks[0],
        token_life=min(settings.token_life, LONGEST_TOKEN_LIFE),
    )


def _authorization(settings: Settings) -> Authorization:
    """Raises `ValueError` for a word that is not one: nobody is let in by a slip of the pen."""
    try:
        return Authorization(settings.api_authorization)
    except ValueError as error:
        raise ValueError(f"FERMATA_API_AUTHORIZATION must be one of {', '.join(Authorization)}") from error


def events_queue() -> str:
    """Return the name of our own queue of events: only its messages may say which event they are."""
    return read().events_queue_url.rpartition("/")[2]


class _OnFirstUse:
    """An AWS client that is made with its first call: most deliveries need neither payloads nor secrets."""

    def __init__(self, service: str) -> None:
        self._service = service

    def __getattr__(self, name: str) -> Any:
        return getattr(_client(self._service), name)


class _LazyHttpClient:
    """An `HttpClient` that loads its library with the first request: most deliveries make none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: HttpClient | None = None

    def send(self, request: HttpRequest) -> HttpResult:
        if self._client is None:
            from fermata.adapters.http.client import RequestsHttpClient
            from fermata.adapters.http.egress import EgressPolicy

            self._client = RequestsHttpClient(EgressPolicy.parse(self._settings.egress_allow))
        return self._client.send(request)


class _LazyEvaluator:
    """An `Evaluator` that loads its adapter with the first expression."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loaded: Evaluator | None = None

    def evaluate(self, question: Evaluate) -> EvaluationResult:
        return self._evaluator().evaluate(question)

    def syntax_error(self, question: Evaluate) -> str | None:
        return self._evaluator().syntax_error(question)

    def _evaluator(self) -> Evaluator:
        if self._loaded is None:
            from fermata.adapters.evaluators.child_evaluator import ChildEvaluator

            self._loaded = ChildEvaluator(self._settings.evaluator)
        return self._loaded


@cache
def _client(service: str) -> Any:
    """Return a client with short timeouts: a door must not hang on a service that does not answer."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 4}, connect_timeout=2, read_timeout=10)
    if service == "s3":  # else a signed address names the global endpoint, which sends callers of a young bucket elsewhere
        config = config.merge(Config(signature_version="s3v4", s3={"addressing_style": "virtual"}))
    return boto3.client(service, config=config)
