"""The fields of an HTTP_POLL task: where they may stand, how they may be spelled, what they default to (design of `HTTP_POLL`)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from fermata.domain.http_rules import BadRequestFields, accepted_codes, positive_number, request_fields
from fermata.domain.json_value import Json, JsonObject

DEFAULT_INTERVAL_SECONDS = 60
DEFAULT_MAX_INTERVAL_SECONDS = 3600
DEFAULT_MAX_POLL_COUNT = 1000
DEFAULT_ERRORS_IN_A_ROW = 3
_LONGEST = 366 * 24 * 3600  # seconds; a longer wait is a mistake and would overflow dates

POLLING_KEYS = frozenset(
    {
        "terminationCondition",
        "pollingInterval",
        "pollingStrategy",
        "maxPollCount",
        "maxPollingInterval",
        "pollDeadlineSeconds",
        "pollErrorBudget",
        "acceptedStatusCodes",
        "outputFilter",
    }
)
REQUEST_KEYS = frozenset(
    {
        "uri",
        "method",
        "headers",
        "body",
        "accept",
        "contentType",
        "connectionTimeOut",
        "connectionTimeout",
        "readTimeOut",
        "readTimeout",
        "encode",
        "vipAddress",
        "appName",
        "hedgingConfig",
        "idempotencyKey",
        "asyncComplete",
        "cacheConfig",
    }
)


class PollingStrategy(StrEnum):
    FIXED = "FIXED"
    LINEAR_BACKOFF = "LINEAR_BACKOFF"
    EXPONENTIAL_BACKOFF = "EXPONENTIAL_BACKOFF"


_STRATEGIES = {
    **{strategy.value: strategy for strategy in PollingStrategy},
    "LINEAR": PollingStrategy.LINEAR_BACKOFF,
    "EXPONENTIAL": PollingStrategy.EXPONENTIAL_BACKOFF,
}


@dataclass(frozen=True)
class PollSettings:
    """The resolved settings of one attempt. `interval` is already raised to the operator's floor.

    `asks_for_html` is false when the request's `accept` (default `application/json`) leaves HTML out: then an HTML page is the
    error page of something in between, and no answer of the vendor.
    """

    interval: timedelta
    strategy: PollingStrategy
    max_interval: timedelta
    max_poll_count: int
    errors_in_a_row: int
    deadline: timedelta | None
    condition: str | None
    accepted: tuple[str, ...]
    output_filter: str | None
    asks_for_html: bool


def polling_fields(task_input: JsonObject) -> dict[str, Json]:
    """Return the polling fields, which may stand inside `http_request` or beside it; inside wins."""
    beside = {key: value for key, value in task_input.items() if key in POLLING_KEYS}
    inside = {key: value for key, value in request_fields(task_input).items() if key in POLLING_KEYS}
    return {key: value for key, value in {**beside, **inside}.items() if value is not None}


def poll_settings(task_input: JsonObject, floor: timedelta) -> PollSettings:
    """Return the settings. Raises `BadRequestFields`, naming the field, when a value is of the wrong kind."""
    fields = polling_fields(task_input)
    interval = max(_seconds(fields, "pollingInterval", DEFAULT_INTERVAL_SECONDS), floor)
    deadline = _seconds(fields, "pollDeadlineSeconds", 0)
    return PollSettings(
        interval=interval,
        strategy=_strategy(fields),
        max_interval=max(_seconds(fields, "maxPollingInterval", DEFAULT_MAX_INTERVAL_SECONDS), interval),
        max_poll_count=_count(fields, "maxPollCount", DEFAULT_MAX_POLL_COUNT),
        errors_in_a_row=_error_budget(fields),
        deadline=deadline or None,
        condition=_text(fields, "terminationCondition"),
        accepted=accepted_codes(fields),
        output_filter=_text(fields, "outputFilter"),
        asks_for_html=_asks_for_html(request_fields(task_input)),
    )


def _asks_for_html(request: JsonObject) -> bool:
    headers = request.get("headers")
    named = [value for name, value in headers.items() if name.lower() == "accept"] if isinstance(headers, Mapping) else []
    accept = str([request.get("accept"), *named]).lower()
    return any(kind in accept for kind in ("html", "*/*", "text/*"))


def _seconds(fields: JsonObject, key: str, default: float) -> timedelta:
    return timedelta(seconds=min(positive_number(fields, key, default=default), _LONGEST))


def _count(fields: JsonObject, key: str, default: int) -> int:
    number = positive_number(fields, key, default=default)
    if number < 1 or number != int(number):
        raise BadRequestFields(f"{key} must be a whole number of at least 1, not {fields.get(key)}")
    return int(number)


def _strategy(fields: JsonObject) -> PollingStrategy:
    given = fields.get("pollingStrategy", PollingStrategy.FIXED)
    try:
        return _STRATEGIES[str(given).strip().upper()]
    except KeyError as error:
        raise BadRequestFields(f"pollingStrategy '{given}' is not known; use FIXED, LINEAR_BACKOFF or EXPONENTIAL_BACKOFF") from error


def _error_budget(fields: JsonObject) -> int:
    given = fields.get("pollErrorBudget", {})
    if not isinstance(given, Mapping):
        raise BadRequestFields(f'pollErrorBudget must be an object like {{"consecutive": 3}}, not {json.dumps(given)[:60]}')
    name = "pollErrorBudget.consecutive"
    return _count({name: given.get("consecutive")}, name, DEFAULT_ERRORS_IN_A_ROW)


def _text(fields: JsonObject, key: str) -> str | None:
    value = fields.get(key)
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        raise BadRequestFields(f"{key} must be text, not {json.dumps(value)[:60]}")
    return value
