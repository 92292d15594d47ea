"""Runs and tasks without their long payloads: the size of each stands where it would."""

from collections.abc import Mapping

from fermata.domain.json_value import Json
from fermata.wire.records import json_bytes

LONGEST_BYTES = 4 * 1024  # of the compact JSON of a payload that is still shown
OF_A_RUN = {"input": "input", "output": "output", "variables": "variables"}
OF_A_TASK = {"input": "inputData", "output": "outputData"}


def summarized(body: dict[str, Json], names: Mapping[str, str], left_out: Mapping[str, int]) -> dict[str, Json]:
    """Return the body with `<name>Size`, in bytes, in place of each payload that is long or was left out by the store.

    `names`: how the fields are called in the body, by their names in `left_out`.
    """
    sizes = {shown: size for field, shown in names.items() if (size := left_out.get(field) or _long(body[shown]))}
    return {name: value for name, value in body.items() if name not in sizes} | {f"{name}Size": size for name, size in sizes.items()}


def _long(value: Json) -> int | None:
    """Return the size of a payload that is too long to be shown."""
    if not value:
        return None
    size = len(json_bytes(value))
    return size if size > LONGEST_BYTES else None
