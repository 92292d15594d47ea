"""What a door imports is what every cold start pays for. Heavy things are loaded when first used, not before."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Import times were measured alone, in a fresh interpreter, in milliseconds.
VENDOR_CALLS = {"requests": 143}
EXPRESSIONS = {"jq": 15, "quickjs": 36, "starlark": 1, "js2py": 549, "jsonpath": 112}
CLOCKS = {"cronsim": 6}
ROUTER = {"aws_lambda_powertools.event_handler": 166, "fermata.adapters.dynamodb.search": 15}  # what only the api door does
LAPTOP = {"moto": 300, "werkzeug": 100, "click": 40, "fermata_local": 10, "flask": 100}

FORBIDDEN = {
    "api": VENDOR_CALLS | EXPRESSIONS | CLOCKS | LAPTOP,
    "task_runner": VENDOR_CALLS | EXPRESSIONS | CLOCKS | LAPTOP | ROUTER,
    "wakeup": VENDOR_CALLS | EXPRESSIONS | CLOCKS | LAPTOP | ROUTER,
    "events": VENDOR_CALLS | EXPRESSIONS | CLOCKS | LAPTOP | ROUTER,
    "airpipe": VENDOR_CALLS | EXPRESSIONS | CLOCKS | LAPTOP | ROUTER,
    "sweeper": VENDOR_CALLS | EXPRESSIONS | CLOCKS | LAPTOP | ROUTER,
}

# The first token pays, or the first proof that an Air Pipe test asks for. The authorizer knows no router either.
TOKENS = {"jwt": 33, "cryptography": 12, "bcrypt": 1, "semver": 20}
FORBIDDEN = {door: heavy | TOKENS for door, heavy in {**FORBIDDEN, "authorizer": FORBIDDEN["task_runner"]}.items()}
ENGINE_DOORS = sorted(FORBIDDEN)

# The web door hands out files: no AWS, no Powertools (which loads botocore), no engine. What is left takes some 25 ms.
AWS = {"boto3": 118, "botocore": 90, "aws_lambda_powertools": 120, "aws_xray_sdk": 234}
ENGINE = {"fermata.bootstrap": 300, "fermata.application": 60, "fermata.adapters": 20, "fermata.wire": 30}
FORBIDDEN["web"] = FORBIDDEN["sweeper"] | AWS | ENGINE


def _loaded(door, then="pass"):
    """The modules in a fresh interpreter after importing the door, and after `then`."""
    program = f"import app, json, sys; {then}; print(json.dumps(sorted(sys.modules)))"
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "functions" / door), str(ROOT / "layers" / "fermata")]),
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "LAMBDA_TASK_ROOT": "/var/task",  # what tells Powertools that it runs on Lambda: tracing is on
        "POWERTOOLS_SERVICE_NAME": "fermata",
        "POWERTOOLS_METRICS_NAMESPACE": "Fermata",
    }
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_every_door_is_looked_at():
    assert set(FORBIDDEN) == {path.parent.name for path in ROOT.glob("functions/*/app.py")}


@pytest.mark.parametrize("door", sorted(FORBIDDEN))
def test_importing_a_door_loads_nothing_heavy(door):
    assert _loaded(door) & set(FORBIDDEN[door]) == set()


@pytest.mark.parametrize("door", ENGINE_DOORS)
def test_joining_the_engine_loads_nothing_heavy(door):
    """What the first delivery pays for as well: clients are made, vendors and expressions wait for their first use."""
    assert _loaded(door, "app.bootstrap.engine()") & set(FORBIDDEN[door]) == set()


def test_the_door_for_interfaces_has_neither_router_nor_vendors_when_it_has_read_its_first_request():
    """What its first caller pays for beside the engine: the dialect, which is loaded with the first request and not before."""
    assert "fermata.domain.airpipe.reading" not in _loaded("airpipe")
    assert _loaded("airpipe", "app.bootstrap.airpipe()") & set(FORBIDDEN["airpipe"]) == set()


def test_the_api_loads_the_dialect_when_somebody_asks_for_interfaces():
    assert "fermata.application.airpipe.interfaces" not in _loaded("api", "app.bootstrap.api()")
