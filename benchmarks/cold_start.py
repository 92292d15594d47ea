"""What a door's import and its first engine cost in a fresh interpreter, and which heavy modules it left alone."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import Figure

ROOT = Path(__file__).parents[1]
DOORS = ("api", "task_runner", "wakeup", "events", "sweeper")
RUNS = 5
# What costs tens of milliseconds to import and is not needed by every invocation.
HEAVY = ("requests", "jq", "quickjs", "starlark", "js2py", "jsonpath", "aws_lambda_powertools.event_handler", "moto", "click", "werkzeug")
PROGRAM = """
import sys, time
began = time.perf_counter()
import app
imported = time.perf_counter()
app.bootstrap.engine()
joined = time.perf_counter()
import json
print(json.dumps([1000 * (imported - began), 1000 * (joined - imported), sorted(sys.modules)]))
"""


def measure() -> Sequence[Figure]:
    return [figure for door in DOORS for figure in _door(door)]


def _door(door: str) -> Sequence[Figure]:
    starts = [_start(door) for _ in range(RUNS)]
    absent = absent_modules(starts[0][2])
    loaded = [name for name in HEAVY if name not in absent]
    return (
        Figure("cold_start", f"{door}: import", statistics.median(start[0] for start in starts), "ms", note=f"median of {RUNS}"),
        Figure("cold_start", f"{door}: first engine", statistics.median(start[1] for start in starts), "ms", note="the AWS clients"),
        Figure("cold_start", f"{door}: heavy modules loaded", len(loaded), "", note=f"of {', '.join(HEAVY)}" if door == DOORS[0] else ""),
    )


def absent_modules(loaded: Sequence[str]) -> list[str]:
    """Return the heavy modules that are not among the loaded ones."""
    return [name for name in HEAVY if name not in loaded]


def _start(door: str) -> tuple[float, float, list[str]]:
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "functions" / door), str(ROOT / "layers" / "fermata")]),
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "POWERTOOLS_SERVICE_NAME": "fermata",
        "POWERTOOLS_METRICS_NAMESPACE": "Fermata",
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    import_ms, engine_ms, modules = json.loads(done.stdout.splitlines()[-1])
    return import_ms, engine_ms, modules
