"""JavaScript (ES5, without Date) in the bytecode VM of js2py: pure Python, for where QuickJS is missing, and as a second opinion.

Every script has its own realm. What QuickJS knows and this does not: Date, anything newer than ES5, the order of keys in `for in`.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from typing import Any

from fermata.adapters.evaluators.worker.js2py_values import data_for, plain
from fermata.adapters.evaluators.worker.js2py_vm import parser, vm
from fermata.adapters.evaluators.worker.terms import OUT_OF_TIME, Answer, Request, enclosed, script_error, wants_java_methods

# Built-ins that print, or that exist only for the VM's own use.
_HIDDEN = ("console", "log", "exports")
_LINE = re.compile(r"\bLine (\d+): ")
_STEPS_BETWEEN_LOOKS = 512
PYTHON_FRAMES = 5000  # one level of a result or of a native callback takes a few

sys.setrecursionlimit(PYTHON_FRAMES)


class _OutOfFuel(BaseException):
    """Not an `Exception`: neither a script's `catch` nor the VM's handlers may take it."""


class _Fuel:
    """Counts the instructions executed, and looks at the clock now and then."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._steps = 0
        self.spent = False

    def burn(self) -> None:
        self._steps += 1
        if self._steps % _STEPS_BETWEEN_LOOKS == 0:
            self.spent = time.monotonic() > self._deadline
        if self.spent:
            raise _OutOfFuel


class _Tape(list[Any]):
    """The VM's instructions. Each one it executes is read from here, which makes this the place to stop it."""

    def __init__(self, instructions: list[Any], fuel: _Fuel) -> None:
        super().__init__(instructions)
        self._fuel = fuel

    def __getitem__(self, index: Any) -> Any:
        self._fuel.burn()
        return super().__getitem__(index)


class _MeteredCode(vm.Code):  # type: ignore[misc]  # the VM has no types
    """The VM replaces its tape by a plain list while compiling, so every list it is given becomes a metered one."""

    def __init__(self, fuel: _Fuel) -> None:
        self._fuel = fuel
        super().__init__()

    @property
    def tape(self) -> _Tape:
        return self._tape

    @tape.setter
    def tape(self, instructions: list[Any]) -> None:
        self._tape = _Tape(instructions, self._fuel)


def evaluate(request: Request) -> Answer:
    return _answered(request, lambda fuel: json.dumps(plain(_run(request, fuel))))


def check(request: Request) -> Answer:
    def look(fuel: _Fuel) -> str:
        _compiled(request, fuel)
        return "null"

    return _answered(request, look)


def _answered(request: Request, work: Callable[[_Fuel], str]) -> Answer:
    fuel = _Fuel(request.seconds)
    try:
        return Answer("value", work(fuel))
    except _OutOfFuel:
        return OUT_OF_TIME
    except vm.JsException as error:
        return _script_failed(error)
    except RecursionError:
        return script_error("RangeError: Maximum call stack size exceeded")
    except AssertionError:
        # The VM checks its stack on the way out, whatever the exception that passes.
        if fuel.spent:
            return OUT_OF_TIME
        raise


def _compiled(request: Request, fuel: _Fuel) -> Any:
    generator = vm.ByteCodeGenerator(_MeteredCode(fuel))
    generator.emit(parser.parse(enclosed(request)))
    return generator


def _run(request: Request, fuel: _Fuel) -> Any:
    generator = _compiled(request, fuel)
    code, space = generator.exe, vm.Space()
    code.space, space.exe = space, code
    vm.fill_space.fill_space(space, generator)
    for name in _HIDDEN:
        space.GlobalObj.own.pop(name, None)
    space.GlobalObj.put("$", data_for(json.loads(request.subject), space, java=wants_java_methods(request.program)))
    code.compile()
    return code.run(space.GlobalObj)


def _script_failed(error: Any) -> Answer:
    try:
        message = str(error)
    except Exception as second:  # noqa: BLE001 - the script wrote the toString that runs here
        message = f"an error that cannot be shown ({type(second).__name__})"
    line = _LINE.search(message)
    return script_error(_LINE.sub("", message), int(line[1]) if line else None)
