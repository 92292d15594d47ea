"""Text that others wrote, made fit for a terminal: a vendor's answer may hold what moves the cursor, or what no encoding has."""

import json
from typing import Any


def plain(text: str) -> str:
    """Return the text with an escape for every character that does not print; other spaces than line ends become spaces."""
    return "".join(each if each.isprintable() or each == "\n" else _escaped(each) for each in text)


def printed_json(value: Any) -> str:
    """Return a value as indented JSON, in which every character that does not print is escaped. It reads back as the same value."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return "".join(each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1] for each in text)


def _escaped(character: str) -> str:
    return " " if character.isspace() else character.encode("unicode_escape").decode()
