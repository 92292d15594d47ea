"""Prints answers: JSON or a table, the whole or what a JMESPath expression picks."""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

# What a table shows of a record when it has these fields; the first five it has.
_COLUMNS = (
    "name", "scheduleName", "version", "workflowType", "workflowName", "workflowId", "taskId", "referenceTaskName", "taskType", "status",
    "startTime", "pollCount", "poll", "dueTime", "firedTime", "latenessMs", "latencyMs", "statusCode", "decision", "nextDueTime",
    "description", "retryCount", "timeoutSeconds", "cronExpression", "zoneId", "paused", "nextRunTime", "state", "scheduledTime", "reason",
    "keyId", "role", "disabled", "createTime", "expireTime",
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """How the user wants an answer."""

    query: str | None
    table: bool


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--query` and `--output`; what it returns is printed."""

    @click.option("--query", metavar="JMESPATH", help="Print only what this JMESPath expression picks.")
    @click.option("--output", "-o", type=click.Choice(["json", "table"]), default="json", show_default=True)
    @functools.wraps(command)
    def wrapped(*args: Any, query: str | None, output: str, **kwargs: Any) -> None:
        show(command(*args, **kwargs), Shape(query, output == "table"))

    return wrapped


def show(value: Any, shape: Shape) -> None:
    """Print a value. Text that a query picked stands without quotes, so that scripts can use it."""
    if shape.query is not None:
        value = _picked(value, shape.query)
    if shape.table and isinstance(value, (list, dict)):
        click.echo(table(value if isinstance(value, list) else [value]))
    elif shape.query is not None and isinstance(value, str):
        click.echo(value)
    else:
        click.echo(json.dumps(value, indent=2, ensure_ascii=False))


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
    lines = [names] + [[_cell(row.get(name)) for name in names] for row in rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(names))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
