"""What an Air Pipe interface is made of, as values: its actions, their gates, what the caller gets (air pipe reference, 1 and 2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from fermata.domain.airpipe.asserting import Assert
from fermata.domain.airpipe.retrying import DEFAULT_EXPECTED, Retry
from fermata.domain.json_value import Json, JsonObject


class When(StrEnum):
    """What a gate waits for. The words are the configuration's."""

    SUCCEEDED = "run_when_succeeded"
    FAILED = "run_when_failed"
    FINISHED = "run_when_finished"


@dataclass(frozen=True)
class Gate:
    """Actions to wait for. `previous`: those that were written as `previous`. `at_least` None: all."""

    when: When
    actions: tuple[str, ...]
    previous: frozenset[str] = frozenset()
    at_least: int | None = None
    http_code: int | None = None


@dataclass(frozen=True)
class Response:
    """A `response_on_success` or `response_on_error`. `body` None: the envelope."""

    http_code: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None


@dataclass(frozen=True)
class Visibility:
    """What the caller does not see. References from other actions still do."""

    data_on_success: bool = True
    data_on_error: bool = True
    data_on_empty: bool = True
    action: bool = True
    errors: bool = True


@dataclass(frozen=True)
class HttpSource:
    """One request. Everything but the two timeouts and `expected` is a template."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Json = None
    expected: tuple[Json, ...] = DEFAULT_EXPECTED
    timeout: timedelta = timedelta(seconds=10)
    connect_timeout: timedelta = timedelta(seconds=3)
    idempotency_key: str | None = None
    idempotency_header: str = "Idempotency-Key"


class StateOperation(StrEnum):
    GET = "get"
    SET = "set"
    ADVANCE = "advance"
    DELETE = "delete"
    SEEN = "seen"


@dataclass(frozen=True)
class StateSource:
    """One operation on a key. `namespace`, `key`, `value`, `default` and `id` are templates. `ttl` None: kept for good."""

    operation: StateOperation
    namespace: str
    key: str
    value: Json = None
    default: Json = None
    id: str | None = None
    ttl: timedelta | None = None
    expected_version: int | None = None


@dataclass(frozen=True)
class OutputSource:
    """A literal: text is a template of JSON, anything else a template of itself."""

    template: Json


@dataclass(frozen=True)
class InputSource:
    """A marker whose value becomes the data; null where it stands for nothing."""

    template: str


@dataclass(frozen=True)
class DelaySource:
    length: timedelta


Source: TypeAlias = HttpSource | StateSource | OutputSource | InputSource | DelaySource


@dataclass(frozen=True)
class Transform:
    """One entry of `post_transforms`."""

    name: str
    argument: Json


@dataclass(frozen=True)
class Action:
    """One step. `guard` is `run_on_assertion`."""

    name: str
    source: Source
    gates: tuple[Gate, ...] = ()
    guard: Assert | None = None
    asserts: Assert = field(default_factory=Assert)
    retry: Retry = field(default_factory=Retry)
    transforms: tuple[Transform, ...] = ()
    on_success: Response | None = None
    on_error: Response | None = None
    visible: Visibility = field(default_factory=Visibility)


class Deciding(StrEnum):
    """Which action's failure decides the envelope's status. The words are the configuration's."""

    LAST = "last_action"
    LAST_FAILED = "last_action_with_error"
    ANY = "any_action"


@dataclass(frozen=True)
class Codes:
    """How the envelope gets its status.

    `on_error`: that of any failure. `inherited`: actions whose failure decides before all. `fallback`: for a failure that names no status.
    """

    on_error: int | None = None
    inherited: tuple[str, ...] = ()
    fallback: int | None = None
    deciding: Deciding = Deciding.LAST


@dataclass(frozen=True)
class Interface:
    """One endpoint. `route` begins with a slash; `written` is what each action's own text says once its markers are read, by action.

    `documentation` is what only people read. `headers` go with the envelope. `checks` is its `assert` as it is written, empty for none.
    """

    config: str
    key: str
    route: str
    method: str
    actions: tuple[Action, ...]
    written: Mapping[str, JsonObject]
    codes: Codes = field(default_factory=Codes)
    checks: JsonObject = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    documentation: JsonObject = field(default_factory=dict)
    variables: JsonObject = field(default_factory=dict)
    docs: bool = True


@dataclass(frozen=True)
class Config:
    """A whole file. `warnings`: where what it says can be read in more than one way, and how it is read."""

    name: str
    interfaces: tuple[Interface, ...]
    warnings: tuple[str, ...] = ()


def longest_try(actions: Iterable[Action]) -> timedelta:
    """Return what one try of one of these may take at most."""
    sources = [action.source for action in actions]
    return max((each.connect_timeout + each.timeout for each in sources if isinstance(each, HttpSource)), default=timedelta(0))
