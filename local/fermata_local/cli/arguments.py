"""Reads what the user writes: JSON (inline, `@file`, a path, or `-` for standard input) and moments."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

# What Conductor's own command line takes besides ISO 8601.
_AMERICAN = ("%m/%d/%Y %H:%M:%S", "%m/%d/%Y")


def json_file(path: str) -> Any:
    """Return the JSON of a file, `-` being standard input. Raises `click.BadParameter` that names place and reason."""
    if path == "-" and sys.stdin.isatty():
        raise click.UsageError("Name a file, or send JSON to standard input.")
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    return _parsed(text, path)


def json_value(text: str) -> Any:
    """Return inline JSON, or that of `@file`."""
    return json_file(text[1:]) if text.startswith("@") else _parsed(text, "the input")


def json_object(option: str, text: str) -> dict[str, Any]:
    """Return inline JSON, or that of `@file`, which must be an object. Raises `click.BadParameter` that names the option."""
    value = json_value(text)
    if not isinstance(value, dict):
        raise click.BadParameter("the value must be a JSON object", param_hint=option)
    return value


def definition_file(path: str, what: str) -> dict[str, Any]:
    """Return the JSON object of a file. `what` says in the error what was looked for."""
    value = json_file(path)
    if not isinstance(value, dict):
        raise click.BadParameter(f"{what} is a JSON object")
    return value


def definition_files(path: str, what: str) -> list[dict[str, Any]]:
    """Return the JSON object of a file, or all of its list."""
    content = json_file(path)
    definitions = content if isinstance(content, list) else [content]
    if not definitions or not all(isinstance(definition, dict) for definition in definitions):
        raise click.BadParameter(f"{what} is a JSON object; the file has one, or a list of them")
    return definitions


class Moment(click.ParamType[int]):
    """A moment as epoch milliseconds: those, ISO 8601, or MM/DD/YYYY. UTC unless it says otherwise."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if text.isdecimal() and len(text) > len("20260131"):
            return int(text)
        found = _moment(text)
        if found is None:
            self.fail(f"{text!r} is no moment: write 2026-01-31, 2026-01-31 18:00:00 or epoch milliseconds.", param, ctx)
        return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for shape in _AMERICAN:
        try:
            return datetime.strptime(text, shape).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _parsed(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"{source} is not JSON: {error}") from error
