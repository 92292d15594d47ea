"""Writes docs/golden-cases.md: what the engine is to do, and the golden cases that show it. `python -m tests.golden.listing`."""

import json
from itertools import groupby
from typing import Any

from tests.golden.acting import ACTS
from tests.golden.playing import HERE, cases

ROWS = HERE / "rows.json"
PAGE = HERE.parents[1] / "docs" / "golden-cases.md"

_HEAD = """# Golden cases

What Conductor's engine does, outcome by outcome, and the cases under `tests/golden/` that show it here: a definition, a story,
and the expected tasks and statuses. Written by `make golden-list`; a test fails when it is stale. "none" is a gap: shown by no
golden case (perhaps by another test, perhaps not there yet).

A row stands in `tests/golden/rows.json`; a case names in its story the rows that it covers. A story has, all optional: `input`,
`start` (`correlationId`, `priority`, `taskToDomain`), `registered` (the case's definition is then sent along with the start),
`others`, `taskDefinitions`, `vendor`, `secrets` and `events`. An event happens `after` so many seconds, or `"when it waits"` for
somebody outside, and has a `do`: {acts};
`tests/golden/acting.py` has their fields.
"""


def rows() -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(ROWS.read_text())
    return read


def page() -> str:
    """Return the page as it should stand."""
    shown: dict[str, list[str]] = {}
    for case in cases():
        for row in json.loads((HERE / case / "story.json").read_text())["covers"]:
            shown.setdefault(row, []).append(case)
    known = rows()
    covered = sum(1 for row in known if row["id"] in shown)
    head = _HEAD.format(acts=", ".join(f"`{act}`" for act in ACTS))
    parts = [head, f"{covered} of {len(known)} outcomes are shown by {len(cases())} cases.\n"]
    for section, group in groupby(known, key=lambda row: row["section"]):
        parts.append(f"## {section}\n\n| outcome | cases |\n|---|---|")
        parts += [f"| {row['outcome']} | {_links(shown.get(row['id'], []))} |" for row in group]
        parts.append("")
    return "\n".join(parts)


def _links(names: list[str]) -> str:
    return ", ".join(f"[{name}](../tests/golden/{name}/)" for name in names) or "none"


if __name__ == "__main__":
    PAGE.write_text(page())
