"""Prints answers: JSON or a table, the whole or what a JMESPath expression picks."""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click

from fermata_local.cli.exits import Exit
from fermata_local.cli.plain import plain, printed_json

# What a table shows of a record: the fields of these that it has.
_COLUMNS = (
    "time", "operation", "by", "taskReferenceName", "method", "path", "definition",
    "name", "scheduleName", "version", "workflowType", "workflowName", "workflowId", "taskId", "referenceTaskName", "taskType", "status",
    "startTime", "pollCount", "poll", "dueTime", "firedTime", "latenessMs", "latencyMs", "statusCode", "decision", "nextDueTime",
    "description", "retryCount", "timeoutSeconds", "cronExpression", "zoneId", "paused", "nextRunTime", "state", "scheduledTime", "reason",
    "keyId", "keySecret", "role", "disabled", "event", "active", "queueName", "workerId", "lastPollTime", "createdTime", "log",
    "createTime", "expireTime", "longestWaitSeconds", "secrets",
)  # fmt: skip
# Longer than that and a row is none any more.
_WIDEST_CELL = 60


@dataclass(frozen=True)
class Shape:
    """How the user wants an answer."""

    query: str | None
    table: bool


@dataclass(frozen=True)
class Ended:
    """An answer with another exit code than 0."""

    value: Any
    code: int


def _parsed(_context: click.Context, _option: click.Parameter, query: str | None) -> str | None:
    """Refuse an expression that is none before a request is made: a key's secret is shown only once."""
    if query is not None:
        import jmespath
        from jmespath.exceptions import JMESPathError

        try:
            jmespath.compile(query)
        except JMESPathError as error:
            raise click.BadParameter(str(error), param_hint="--query") from error
    return query


QUERY = click.option("--query", metavar="JMESPATH", callback=_parsed, help="Print only what this JMESPath expression picks.")


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--query` and `--output`; what it returns is printed."""

    @QUERY
    @click.option("--output", "-o", type=click.Choice(["json", "table"]), default="json", show_default=True)
    @click.option("--json", "as_json", is_flag=True, hidden=True, help="As `--output json`, for scripts that name it.")
    @functools.wraps(command)
    def wrapped(*args: Any, query: str | None, output: str, as_json: bool, **kwargs: Any) -> None:
        _print(command(*args, **kwargs), Shape(query, output == "table" and not as_json))

    return wrapped


def querying(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--query` only: its `--output` is something else."""

    @QUERY
    @functools.wraps(command)
    def wrapped(*args: Any, query: str | None, **kwargs: Any) -> None:
        _print(command(*args, **kwargs), Shape(query, table=False))

    return wrapped


def _print(answer: Any, shape: Shape) -> None:
    ended = answer if isinstance(answer, Ended) else Ended(answer, Exit.OK)
    show(ended.value, shape)
    click.get_current_context().exit(ended.code)


def show(value: Any, shape: Shape) -> None:
    """Print a value. Text that a query picked stands without quotes, so that scripts can use it."""
    if shape.query is not None:
        value = _picked(value, shape.query)
    if shape.table and isinstance(value, (list, dict)):
        click.echo(table(value if isinstance(value, list) else [value]) if value else "Nothing found.", err=not value)
    elif shape.query is not None and isinstance(value, str):
        click.echo(value.encode(errors="backslashreplace"))
    else:
        click.echo(printed_json(value))


def _picked(value: Any, query: str) -> Any:
    import jmespath
    from jmespath.exceptions import JMESPathError

    try:
        return jmespath.search(query, value)
    except JMESPathError as error:
        raise click.BadParameter(str(error), param_hint="--query") from error


def table(records: Sequence[Any]) -> str:
    """Return records as aligned columns."""
    rows = [record if isinstance(record, Mapping) else {"value": record} for record in records]
    names = [name for name in _COLUMNS if any(name in row for row in rows)] or sorted({str(name) for row in rows for name in row})
    lines = [names] + [[_cell(name, row.get(name)) for name in names] for row in rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(names))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if (name == "time" or name.endswith("Time")) and isinstance(value, int):
        return _moment(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = plain(" ".join(text.split()))
    return line if len(line) <= _WIDEST_CELL else f"{line[: _WIDEST_CELL - 3]}..."


def _moment(milliseconds: int) -> str:
    """Return a moment in UTC as people read it; Conductor writes 0 for none."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S}" if milliseconds else "-"
    except (OverflowError, ValueError, OSError):
        return str(milliseconds)
