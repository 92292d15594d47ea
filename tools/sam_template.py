"""Read a SAM template as plain values: a short intrinsic becomes its long form, `!Ref X` being `{"Ref": "X"}`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's tags."""


def _intrinsic(loader: _Loader, tag: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    match node:
        case yaml.SequenceNode():
            value = loader.construct_sequence(node, deep=True)
        case yaml.MappingNode():
            value = loader.construct_mapping(node, deep=True)
        case _:
            value = node.value
    if tag == "GetAtt":
        value = value.split(".")
    return {tag if tag in {"Ref", "Condition"} else f"Fn::{tag}": value}


_Loader.add_multi_constructor("!", _intrinsic)


def load(path: Path) -> dict[str, Any]:
    """Return the template."""
    template: dict[str, Any] = yaml.load(path.read_text(), Loader=_Loader)  # noqa: S506 - a SafeLoader
    return template


def functions(template: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return each function's properties, by logical id."""
    return {name: found["Properties"] for name, found in template["Resources"].items() if found["Type"] == "AWS::Serverless::Function"}


def whole(template: Mapping[str, Any], logical_id: str) -> dict[str, Any]:
    """Return a function's properties with the global ones, but for those that it ignores. None of ours changes one in part."""
    function = template["Resources"][logical_id]
    ignored = function.get("IgnoreGlobals", ())
    inherited = {name: value for name, value in template["Globals"]["Function"].items() if name not in ignored}
    return {**inherited, **function["Properties"]}


def variables(template: Mapping[str, Any], properties: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that the template gives a function with these properties.

    A parameter has its default; what only a deployment knows comes from `known`. Raises `KeyError` for a name that is in neither.
    """
    declared: Mapping[str, Any] = properties["Environment"]["Variables"]
    return {name: _value(template, value, name, known) for name, value in declared.items()}


def _value(template: Mapping[str, Any], value: Any, name: str, known: Mapping[str, str]) -> str:
    if name in known:
        return known[name]
    if isinstance(value, str):
        return value
    default: Any = template["Parameters"][value["Ref"]]["Default"]
    return str(default)
