"""JSON values in and out of js2py's VM, with the Java methods of Conductor's lists and maps."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from fermata.adapters.evaluators.worker.js2py_vm import conversions, operations, values
from fermata.adapters.evaluators.worker.terms import MAX_RESULT_CHARACTERS, MAX_RESULT_DEPTH, TOO_DEEP, TOO_LARGE

_LONG = 2**63

Method = Callable[[Any, Any], Any]


def data_for(value: Any, space: Any, *, java: bool) -> Any:
    """Return JSON as the VM's values. With `java`, lists and maps inherit Java's methods; a key of the data with the same name wins."""
    lists, maps = space.ArrayPrototype, space.ObjectPrototype
    if java:
        lists, maps = _offering(_LIST_METHODS, lists, space), _offering(_MAP_METHODS, maps, space)
        space.java_lists = lists
    return _given(value, space, lists, maps)


def _offering(methods: dict[str, Method], parent: Any, space: Any) -> Any:
    prototype = space.NewObject()
    prototype.prototype = parent
    for name, method in methods.items():
        function = space.NewFunction(method, space.ctx, (), name, is_declaration=False, definitions=())
        prototype.own[name] = {"value": function, "writable": True, "enumerable": False, "configurable": True}
    return prototype


def _given(value: Any, space: Any, lists: Any, maps: Any) -> Any:
    match value:
        case None:
            return values.null
        case bool() | str():
            return value
        case int() | float():
            return float(value)
        case list():
            array = space.ConstructArray([_given(item, space, lists, maps) for item in value])
            array.prototype = lists
            return array
    return _map({key: _given(item, space, lists, maps) for key, item in value.items()}, space, maps)


def _map(members: dict[str, Any], space: Any, prototype: Any) -> Any:
    target = space.NewObject()
    target.prototype = prototype
    target.own = {key: {"value": item, "writable": True, "enumerable": True, "configurable": True} for key, item in members.items()}
    return target


def plain(root: Any) -> Any:
    """Return a result as JSON: undefined is null, functions are their members, no toJSON is called. Raises the VM's JsException."""
    return _Copy().of(root, 0)


class _Copy:
    def __init__(self) -> None:
        self._room = MAX_RESULT_CHARACTERS

    def _spend(self, amount: int) -> None:
        self._room -= amount
        if self._room < 0:
            raise values.JsException(throw=TOO_LARGE)

    def of(self, value: Any, depth: int) -> Any:
        self._spend(1)
        match value:
            case bool():
                return value
            case float():
                return _number(value)
            case str():
                self._spend(len(value))
                return _well_formed(value)
        if value is values.undefined or value is values.null:
            return None
        if depth >= MAX_RESULT_DEPTH:
            raise values.JsException(throw=TOO_DEEP)
        return self._elements(value, depth + 1) if value.Class == "Array" else self._members(value, depth + 1)

    def _elements(self, array: Any, depth: int) -> list[Any]:
        length = int(array.get("length"))
        self._spend(length)
        return [self.of(array.get(str(index)), depth) for index in range(length)]

    def _members(self, value: Any, depth: int) -> dict[str, Any]:
        names = [name for name, described in value.own.items() if described.get("enumerable")]
        self._spend(sum(map(len, names)))
        return {_well_formed(name): self.of(value.get(name), depth) for name in names}


def _number(value: float) -> int | float | None:
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < _LONG else value


def _well_formed(text: str) -> str:
    """Join the surrogate pairs that a script wrote as two escapes; a half without its other half becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _items(array: Any) -> list[Any]:
    return [array.get(str(index)) for index in range(int(array.get("length")))]


def _argument(arguments: Sequence[Any]) -> Any:
    return arguments[0] if len(arguments) else values.undefined


def _list_get(this: Any, arguments: Any) -> Any:
    index = conversions.to_number(_argument(arguments))
    if not 0 <= index < this.get("length"):
        shown = conversions.to_string(_argument(arguments))
        raise values.MakeError("RangeError", f"Index {shown} out of bounds for length {int(this.get('length'))}")
    return this.get(str(int(index)))


def _list_contains(this: Any, arguments: Any) -> bool:
    return any(operations.strict_equality_op(item, _argument(arguments)) for item in _items(this))


def _key_set(this: Any, arguments: Any) -> Any:
    keys = arguments.space.ConstructArray(_keys(this))
    keys.prototype = arguments.space.java_lists
    return keys


def _keys(this: Any) -> list[str]:
    return [name for name, described in this.own.items() if described.get("enumerable")]


def _owned(this: Any, arguments: Any) -> bool:
    return conversions.to_string(_argument(arguments)) in this.own


_LIST_METHODS: dict[str, Method] = {
    "size": lambda this, _: this.get("length"),
    "isEmpty": lambda this, _: this.get("length") == 0,
    "contains": _list_contains,
    "get": _list_get,
}

_MAP_METHODS: dict[str, Method] = {
    "size": lambda this, _: float(len(_keys(this))),
    "get": lambda this, arguments: this.get(conversions.to_string(_argument(arguments))) if _owned(this, arguments) else values.null,
    "containsKey": _owned,
    "keySet": _key_set,
}
