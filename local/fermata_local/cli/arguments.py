"""Reads JSON that the user names: inline, `@file`, a path, or `-` for standard input."""

import json
import sys
from pathlib import Path
from typing import Any

import click


def json_file(path: str) -> Any:
    """Return the JSON of a file, `-` being standard input. Raises `click.BadParameter` that names place and reason."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    return _parsed(text, path)


def json_value(text: str) -> Any:
    """Return inline JSON, or that of `@file`."""
    return json_file(text[1:]) if text.startswith("@") else _parsed(text, "the input")


def _parsed(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"{source} is not JSON: {error}") from error
