"""Warnings about a definition, as a response header: Conductor's clients ignore it and find the empty body they expect."""

import json
from collections.abc import Mapping, Sequence

from fermata.domain.checks import DefinitionWarning
from fermata.domain.json_value import Json

HEADER = "X-Fermata-Warnings"
MAX_CHARACTERS = 4096  # API Gateway takes 10,240 for all headers of an answer
MAX_SHOWN = 64  # more cannot fit
MAX_TEXT = 400  # of one path or message: names in a definition may be long
MORE = "MORE"


def warnings_headers(warnings: Sequence[DefinitionWarning]) -> Mapping[str, str]:
    """Return the header, a JSON list of `{path, message, code}`; nothing without warnings. The last one tells how many did not fit."""
    if not warnings:
        return {}
    shown = min(len(warnings), MAX_SHOWN)
    while len(value := json.dumps(_listed(warnings, shown), separators=(",", ":"))) > MAX_CHARACTERS:
        shown -= 1
    return {HEADER: value}


def _listed(warnings: Sequence[DefinitionWarning], shown: int) -> list[Json]:
    listed: list[Json] = [{"path": _cut(w.path), "message": _cut(w.message), "code": w.code} for w in warnings[:shown]]
    left = len(warnings) - shown
    return [*listed, {"path": "", "message": f"{left} more", "code": MORE}] if left else listed


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "..."
