"""Air Pipe's pieces for tests: a sight to resolve markers in, a reader, and the pack's two files."""

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.airpipe.actions import Config
from fermata.domain.airpipe.interpolation import Sight
from fermata.domain.airpipe.reading import read_config
from fermata.domain.errors import InvalidRequest
from fermata.domain.questions import Evaluate, Language

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PACK = Path(__file__).parents[2] / "examples" / "airpipe"
_EVALUATOR = ChildEvaluator()


def wrong_program(program: str) -> str | None:
    return _EVALUATOR.syntax_error(Evaluate(Language.JQ, program, "null"))


def sight(
    *,
    results: Mapping[str, Any] | None = None,
    variables: Mapping[str, Any] | None = None,
    secrets: Mapping[str, str] | None = None,
    **request: Any,
) -> Sight:
    """Return a sight: `results` by action name are its data; keywords are the caller's request."""
    ids = itertools.count(1)
    entries = {name: {"result": "succeeded", "data": data} for name, data in (results or {}).items()}
    return Sight(request, entries, variables or {}, _EVALUATOR.evaluate, lambda: f"id-{next(ids)}", (secrets or {}).get, now=NOW)


def pack(name: str) -> Config:
    """Return one of the pack's files, read."""
    return read(yaml.safe_load((PACK / name).read_text()))


def read(value: Any) -> Config:
    return read_config(value, wrong_program)


def config(*actions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a configuration of one interface, `try`, with these actions. Keywords are the interface's own keys."""
    interface = {"output": "http", "method": "POST", "actions": list(actions), **fields}
    return {"name": "Test", "interfaces": {"try": interface}}


def refusals(value: Any) -> list[str]:
    """Return what is said against a configuration, nothing when it loads."""
    try:
        read(value)
    except InvalidRequest as error:
        return [violation.message for violation in error.violations]
    return []


def yaml_of(path: Path) -> Any:
    """Return what a file says, as it is sent to a server."""
    return yaml.safe_load(path.read_text())
