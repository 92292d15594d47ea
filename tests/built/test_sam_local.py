"""`sam local` finds what it needs in the template. Running it takes Docker; what it would run does not."""

import json
import subprocess
from pathlib import Path

import pytest
from fermata_local import environment

from tools import sam_template

ROOT = Path(__file__).parents[2]
SAM_PYTHON = ROOT / ".venv-sam" / "bin" / "python"

ROUTES = """
import json
from samcli.lib.providers.api_provider import ApiProvider
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider
stacks, _ = SamLocalStackProvider.get_stacks(".aws-sam/here/template.yaml")
functions = SamFunctionProvider(stacks)
routes = ApiProvider(stacks, disable_authorizer=True).routes
print(json.dumps([[r.path, r.methods, functions.get(r.function_name).name, r.payload_format_version] for r in routes]))
"""


@pytest.fixture(scope="module")
def env_file():
    return json.loads((ROOT / "events" / "env.json").read_text())["Parameters"]


def test_start_api_hands_pages_and_interfaces_to_their_functions_and_all_else_to_the_api_function(built_template):
    assert built_template
    done = subprocess.run([SAM_PYTHON, "-c", ROUTES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    routes = json.loads(done.stdout.splitlines()[-1])
    assert routes[0] == ["$default", ["X-AMAZON-APIGATEWAY-ANY-METHOD"], "ApiFunction", "2.0"]
    behind = {name: {path for path, _, function, _ in routes if function == name} for name in {route[2] for route in routes}}
    assert behind.pop("WebFunction") == {"/", "/ui", "/ui/{proxy+}"}
    assert behind.pop("AirpipeFunction") == {"/airpipe/{proxy+}"}
    assert set(behind) == {"ApiFunction"}


def test_the_env_file_names_only_variables_that_the_template_declares(env_file):
    """`sam local` passes on no others, not even AWS_ENDPOINT_URL."""
    template = sam_template.load(ROOT / "template.yaml")
    assert set(env_file) <= set(template["Globals"]["Function"]["Environment"]["Variables"])


def test_the_env_file_names_what_the_moto_server_holds(env_file):
    held = environment.variables(min_poll_interval=None)
    assert {name: value for name, value in env_file.items() if name != "AWS_ENDPOINT_URL"} == {
        name: value for name, value in held.items() if name in env_file
    }
