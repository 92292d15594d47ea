"""The interfaces that are served, as an OpenAPI 3.0.3 document (air pipe reference, 1). `docs: false` leaves a file's out."""

import re
from collections.abc import Iterable

from fermata.domain.airpipe.json_text import parsed
from fermata.domain.json_value import Json, JsonObject

_PARAMETER = re.compile(r":([^/]+)")
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_JSON = "application/json"


def described(abouts: Iterable[JsonObject], prefix: str) -> dict[str, Json]:
    """Return the document. `abouts`: what each interface's definition tells about it (`compiling`)."""
    shown = [about for about in abouts if about.get("docs", True)]
    paths: dict[str, dict[str, Json]] = {}
    for about in shown:
        path = prefix + _PARAMETER.sub(r"{\1}", about["route"])
        paths.setdefault(path, {})[about["method"].lower()] = _operation(about)
    paths[f"{prefix}/runs/{{run_id}}"] = {"get": _run("Where a run stands, and its result once it is over", "200")}
    paths[f"{prefix}/runs/{{run_id}}/result"] = {"get": _run("What the caller would have been answered", "default")}
    title = ", ".join(sorted({str(about["config"]) for about in shown})) or "Air Pipe"
    return {"openapi": "3.0.3", "info": {"title": title, "version": "1"}, "paths": paths}


def _operation(about: JsonObject) -> dict[str, Json]:
    told = about.get("documentation") or {}
    operation: dict[str, Json] = {"operationId": f"{about['method'].lower()} {about['interface']}"}
    operation |= {key: told[key] for key in ("summary", "tags") if key in told}
    texts = [str(told[key]).strip() for key in ("description", "notes") if told.get(key)]
    if texts:
        operation["description"] = "\n\n".join(texts)
    names = _PARAMETER.findall(about["route"])
    if names:
        operation["parameters"] = [_parameter(name) for name in names]
    if about["method"] in _WITH_BODY:
        operation["requestBody"] = {"content": {_JSON: _example(told, "request_example")}}
    responses: dict[str, Json] = {"200": {"description": "Done", "content": {_JSON: _example(told, "response_example")}}}
    if about.get("parks"):
        responses["202"] = {"description": "Parked. Location names where the run can be asked for, Retry-After when"}
    operation["responses"] = {**responses, "default": {"description": "A failure, in the interface's envelope"}}
    return operation


def _run(summary: str, code: str) -> dict[str, Json]:
    missing = {"404": {"description": "There is no such run, or it is kept no longer"}}
    return {"summary": summary, "parameters": [_parameter("run_id")], "responses": {code: {"description": summary}, **missing}}


def _parameter(name: str) -> dict[str, Json]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _example(told: JsonObject, key: str) -> dict[str, Json]:
    """Return a media type with its example: a value as it is, text as JSON where it is some."""
    if key not in told:
        return {}
    value = told[key]
    try:
        return {"example": parsed(value) if isinstance(value, str) else value}
    except ValueError:
        return {"example": value}
