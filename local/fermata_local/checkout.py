"""Where this checkout keeps what the laptop loads from files: the doors and the examples."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE_DEFINITION = ROOT / "examples" / "http-poll-external-job.json"


class NotACheckout(Exception):
    """A file that every checkout has is missing. The message says what to do."""


def door_path(door: str) -> Path:
    return ROOT / "functions" / door / "app.py"


def load_job_api() -> ModuleType:
    """Return `examples/job_api.py` as a module."""
    return load(ROOT / "examples" / "job_api.py", "fermata_example_job_api")


def load(path: Path, name: str) -> ModuleType:
    """Execute a Python file as a fresh module called `name`. Raises `NotACheckout` when it is missing."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.exists():
        raise NotACheckout(f"{path} is missing. Run this from a checkout of Fermata, where `make demo` has set everything up.")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name while it executes.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
