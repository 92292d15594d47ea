"""The page at /docs: the document as HTML, made here. It asks nobody for anything and runs no script."""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import escape
from typing import Any

from fermata.api.description.document import ROLE, document
from fermata.api.description.style import STYLE
from fermata.api.description.vocabulary import OURS, Schema

_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

_MARK = '<span class="mark">{}</span>'


@cache
def page() -> str:
    """Return the page. It is the same for every server."""
    known = document()
    return "".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
            f"<title>{escape(known['info']['title'])} API</title><style>{STYLE}</style></head><body><main>",
            *_head(known),
            *(part for tag in known["tags"] for part in _room(known, tag)),
            *_schemas(known["components"]["schemas"]),
            "</main></body></html>\n",
        ]
    )


def _head(known: Mapping[str, Any]) -> Iterator[str]:
    info = known["info"]
    yield f"<h1>{escape(info['title'])} API <span class=dim>{escape(info['version'])}</span></h1>"
    yield f'<p>{_prose(info["description"])}</p><p>For machines: <a href="openapi.json">openapi.json</a></p><h3>Who may call</h3>'
    schemes = known["components"]["securitySchemes"].values()
    yield _table(("header", ""), ((f"<code>{escape(one['name'])}</code>", _prose(one["description"])) for one in schemes))
    rooms = "".join(f'<li><a href="#{_anchor(tag["name"])}">{escape(tag["name"])}</a></li>' for tag in known["tags"])
    yield f'<nav><h3>Routes</h3><ul>{rooms}<li><a href="#schemas">schemas</a></li></ul></nav>'


def _room(known: Mapping[str, Any], tag: Mapping[str, str]) -> Iterator[str]:
    yield f'<h2 id="{_anchor(tag["name"])}">{escape(tag["name"].capitalize())}</h2><p class=dim>{_prose(tag["description"])}</p>'
    for path, verbs in known["paths"].items():
        for verb, operation in verbs.items():
            if operation["tags"] == [tag["name"]]:
                yield _operation(verb, path, operation)


def _operation(verb: str, path: str, operation: Mapping[str, Any]) -> str:
    # The id is of what is folded away: following a link to it unfolds it.
    ours = _MARK.format("not in Conductor") if OURS in operation else ""
    return "".join(
        [
            f'<details><summary><span class="verb {verb}">{verb.upper()}</span><code>{escape(path)}</code>',
            f" <span class=dim>{_prose(operation['summary'])}</span>{ours}</summary>",
            f'<div id="{operation["operationId"]}">',
            f"<p>{_prose(operation.get('description', ''))}</p><p class=dim>Role: {escape(operation[ROLE])}</p>",
            _parameters(operation.get("parameters", ())),
            _body(operation.get("requestBody")),
            "<h3>Answers</h3>",
            _table(("status", "", ""), (_answer(status, answer) for status, answer in operation["responses"].items())),
            "</div></details>",
        ]
    )


def _parameters(parameters: Iterable[Mapping[str, Any]]) -> str:
    rows = [
        (
            f"<code>{escape(one['name'])}</code>",
            one["in"] + (", required" if one.get("required") else ""),
            _type(one["schema"]),
            _prose(one["description"]),
        )
        for one in parameters
    ]
    return f"<h3>Parameters</h3>{_table(('name', 'in', 'type', ''), rows)}" if rows else ""


def _body(body: Mapping[str, Any] | None) -> str:
    if body is None:
        return ""
    ((content_type, content),) = body["content"].items()
    needed = "" if body["required"] else ", optional"
    return f"<h3>Body</h3><p><code>{content_type}</code>{needed}: {_type(content['schema'])}</p><p>{_prose(body['description'])}</p>"


def _answer(status: str, answer: Mapping[str, Any]) -> tuple[str, str, str]:
    content = [f"<code>{name}</code> {_type(found['schema'])}" for name, found in answer.get("content", {}).items()]
    headers = "".join(f"<br><code>{name}</code>: {_prose(one['description'])}" for name, one in answer.get("headers", {}).items())
    return status, _prose(answer["description"]) + headers, "".join(content) or "<span class=dim>empty</span>"


def _schemas(schemas: Mapping[str, Schema]) -> Iterator[str]:
    yield "<h2 id=schemas>Schemas</h2>"
    for name, schema in schemas.items():
        needed = schema.get("required", ())
        rows = [
            (f"<code>{escape(key)}</code>", _type(one), "" if key in needed else "optional", _prose(one.get("description", "")))
            for key, one in schema["properties"].items()
        ]
        ours = _MARK.format("not in Conductor") if OURS in schema else ""
        yield f'<details><summary><code>{name}</code>{ours}</summary><div id="{name}"><p>{_prose(schema.get("description", ""))}</p>'
        yield f"{_table(('field', 'type', '', ''), rows)}</div></details>"


def _type(schema: Schema) -> str:
    """Return what a value looks like, in a few words; a named schema as a link."""
    match schema:
        case {"$ref": pointer}:
            name = pointer.rpartition("/")[2]
            return f'<a href="#{name}">{name}</a>'
        case {"anyOf": choices}:
            return " or ".join(map(_type, choices))
        case {"enum": words}:
            shown = " | ".join(f"<code>{escape(word)}</code>" for word in words)
        case {"type": "array", "items": items}:
            return f"list of {_type(items)}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {_type(values)}"
        case {"type": kind}:
            shown = escape(kind)
        case _:
            return "any"
    bounds = [f"{label} {escape(str(schema[key]))}" for key, label in _BOUNDS.items() if key in schema and schema[key] != ""]
    return ", ".join([shown, *bounds])


_BOUNDS = {"default": "default", "minimum": "at least", "maximum": "at most", "maxLength": "longest"}


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{one}</th>" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _anchor(name: str) -> str:
    return "tag-" + name.replace(" ", "-")
