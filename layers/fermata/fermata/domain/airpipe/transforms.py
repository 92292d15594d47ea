"""`post_transforms`: how an action's data is reshaped once its tests have passed (air pipe reference, 2.3)."""

import json
from collections.abc import Callable, Iterable, Mapping

from fermata.domain.airpipe.actions import Transform
from fermata.domain.airpipe.interpolation import Sight, resolved
from fermata.domain.airpipe.selecting import Missing, pick
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Evaluated, Language


class TransformFailed(ValueError):
    """The data is not of the shape that the transform takes."""


def transformed(transforms: Iterable[Transform], data: Json, sight: Sight) -> Json:
    """Return the data after each transform in order. Raises `TransformFailed`, `Unresolved`."""
    for each in transforms:
        data = TRANSFORMS[each.name](data, each.argument, sight)
    return data


def _extract(data: Json, path: Json, sight: Sight) -> Json:  # noqa: ARG001 - the signature of a transform
    value = pick(data, path)
    return None if isinstance(value, Missing) else value


def _extract_with_jq(data: Json, program: Json, sight: Sight) -> Json:
    match sight.evaluate(Evaluate(Language.JQ, program, json.dumps(data))):
        case Evaluated(outputs):
            return outputs[0] if outputs else None
        case failed:
            raise TransformFailed(f"extract_with_jq: {failed.reason}")


def _add(data: Json, given: Json, sight: Sight) -> Json:
    return {**_object(data, "add_attribute"), str(given["name"]): resolved(given["value"], sight)}


def _keep(data: Json, names: Json, sight: Sight) -> Json:  # noqa: ARG001 - the signature of a transform
    return _each(data, "keep_attributes", lambda one: {key: value for key, value in one.items() if key in names})


def _remove(data: Json, names: Json, sight: Sight) -> Json:  # noqa: ARG001 - the signature of a transform
    return _each(data, "remove_attributes", lambda one: {key: value for key, value in one.items() if key not in names})


def _each(data: Json, name: str, shape: Callable[[Mapping[str, Json]], Json]) -> Json:
    return [shape(_object(one, name)) for one in data] if isinstance(data, list) else shape(_object(data, name))


def _object(data: Json, name: str) -> Mapping[str, Json]:
    if not isinstance(data, Mapping):
        raise TransformFailed(f"{name}: the data is no object")
    return data


TRANSFORMS: Mapping[str, Callable[[Json, Json, Sight], Json]] = {
    "extract_value": _extract,
    "extract_with_jq": _extract_with_jq,
    "add_attribute": _add,
    "keep_attributes": _keep,
    "remove_attributes": _remove,
}


def wrong_argument(name: str, argument: Json) -> str | None:
    """Return what is wrong with what a transform is given."""
    if name in ("extract_value", "extract_with_jq"):
        return None if isinstance(argument, str) and argument else "must be a text"
    if name == "add_attribute":
        return None if isinstance(argument, Mapping) and set(argument) == {"name", "value"} else "takes name and value"
    names = isinstance(argument, list) and all(isinstance(each, str) for each in argument)
    return None if names else "must be a list of names"
