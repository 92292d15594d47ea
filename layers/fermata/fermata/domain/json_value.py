"""The names we give to JSON: what travels in definitions, inputs and outputs."""

from collections.abc import Mapping
from typing import Any, TypeAlias

# Python cannot narrow a recursive JSON union usefully, so a value is Any and its shape is checked where it is read.
Json: TypeAlias = Any
JsonObject: TypeAlias = Mapping[str, Any]
