"""The bytecode VM of js2py, `js2py.internals`, loaded without js2py itself.

`import js2py` must never happen: it costs half a second, works on no Python above 3.11, and its engine hands Python objects to scripts
(CVE-2024-28397). A bare module of that name in its place lets the VM load alone; no Python object crosses from the VM into a script.
"""

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any


def _stand_in_for_js2py() -> None:
    spec = importlib.util.find_spec("js2py")
    if spec is None or spec.submodule_search_locations is None:
        raise ImportError("js2py is not installed")
    stand_in = ModuleType("js2py")
    stand_in.__path__ = list(spec.submodule_search_locations)
    sys.modules["js2py"] = stand_in


_stand_in_for_js2py()
vm: Any = importlib.import_module("js2py.internals.seval")
values: Any = importlib.import_module("js2py.internals.simplex")
conversions: Any = importlib.import_module("js2py.internals.conversions")
operations: Any = importlib.import_module("js2py.internals.operations")
parser: Any = importlib.import_module("pyjsparser")
