"""Writes docs/clients.md: the public methods of the official Python client, and who calls them. `python -m tests.compat.listing`."""

import inspect
import re
from itertools import groupby
from pathlib import Path

from tests.compat.scenarios import STORIES
from tests.compat.sdk import CLIENTS, NOT_SERVED, Sdk, public_methods

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
_CALL = re.compile(r"\bsdk\.(\w+)\.(\w+)\(")
_HEAD = """# The official clients

The official Python client ([conductor-python](https://pypi.org/project/conductor-python/)) works unchanged: `tests/compat` drives the
local server with it, workers in a process of their own included. Here is every public method of its clients that open-source
Conductor serves, with the story in `tests/compat/scenarios.py` that calls it. Written by `make client-list`; a test fails when it is stale.
"""


def called() -> dict[str, str]:
    """Return the story that calls a method, by `Client.method`."""
    found: dict[str, str] = {}
    for name, story in STORIES.items():
        for group, method in _CALL.findall(inspect.getsource(story)):
            if group in CLIENTS:
                found.setdefault(f"{CLIENTS[group].__name__}.{method}", name)
    for shortcut in (Sdk.define, Sdk.start, Sdk.status, Sdk.work_off):
        for group, method in re.findall(r"\bself\.(\w+)\.(\w+)\(", inspect.getsource(shortcut)):
            found.setdefault(f"{CLIENTS[group].__name__}.{method}", "every story")
    return found


def page() -> str:
    """Return the page as it should stand."""
    shown = called()
    parts = [_HEAD, f"{len(shown)} of {len(public_methods())} methods are called; the others are not served, for the reason given.\n"]
    for client, methods in groupby(sorted(public_methods()), key=lambda each: each.partition(".")[0]):
        parts.append(f"## {client}\n\n| method | result |\n|---|---|")
        parts += [f"| `{each.partition('.')[2]}` | {_result(each, shown)} |" for each in methods]
        parts.append("")
    return "\n".join(parts)


def _result(method: str, shown: dict[str, str]) -> str:
    return f"works: {shown[method].replace('_', ' ')}" if method in shown else f"not served: {NOT_SERVED[method]}"


if __name__ == "__main__":
    PAGE.write_text(page())
