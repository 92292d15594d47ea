"""The doors as `sam build` made them, each under the real Lambda runtime client, talking to a moto server."""

import json
import warnings
from contextlib import ExitStack
from pathlib import Path

import pytest
from fermata_local import environment

from tools import sam_template
from tools.lambda_runtime import BuiltFunction, LambdaEnvironment

ROOT = Path(__file__).parents[2]
BUILD = ROOT / ".aws-sam" / "here"
PYTHON = ROOT / ".venv-lambda" / "bin" / "python"


@pytest.fixture(scope="session")
def events():
    def read(name):
        return json.loads((ROOT / "events" / f"{name}.json").read_text())

    return read


@pytest.fixture(scope="session")
def built_template():
    if not (BUILD / "template.yaml").exists() or not PYTHON.exists():
        pytest.fail("Nothing is built yet: `make build` builds, then runs these tests.")
    return sam_template.load(BUILD / "template.yaml")


@pytest.fixture(scope="session")
def built_layers(built_template):
    return [BUILD / layer["Ref"] for layer in built_template["Globals"]["Function"]["Layers"]]


@pytest.fixture(scope="session")
def endpoint():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tools import moto_for_sam
    with moto_for_sam.serving("127.0.0.1", 0) as url:
        yield url


@pytest.fixture(scope="session")
def cloud(endpoint):
    """What the functions find in their environment."""
    return {**environment.variables(min_poll_interval=None), "AWS_ENDPOINT_URL": endpoint}


@pytest.fixture(scope="session")
def environments(built_template, cloud):
    """`environments(door, NAME=value...)`: a built door, started on first use, warm from then on. Values change its variables."""
    running = {}
    with ExitStack() as stack:

        def environment_of(door, **changes):
            key = (door, *changes.items())
            if key not in running:
                function = _function(built_template, cloud | changes, door)
                running[key] = stack.enter_context(LambdaEnvironment(PYTHON, function))
            return running[key]

        yield environment_of


@pytest.fixture(scope="session")
def doors(environments):
    """`doors(door)(event)`: the answer of a built door."""
    return lambda door: environments(door).invoke


def _function(template, cloud, door):
    logical_id = "".join(word.title() for word in door.split("_")) + "Function"
    properties = sam_template.whole(template, logical_id)
    variables = sam_template.variables(template, properties, cloud)
    credentials = {name: value for name, value in cloud.items() if name.startswith("AWS_")}
    return BuiltFunction(
        name=f"fermata-{door}",
        folder=BUILD / properties["CodeUri"],
        layers=[BUILD / layer["Ref"] for layer in properties["Layers"]],
        variables={**variables, **credentials},
        handler=properties["Handler"],
        timeout_seconds=properties["Timeout"],
        memory_mb=properties["MemorySize"],
    )
