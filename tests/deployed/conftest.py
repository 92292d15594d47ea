"""The system as `sam deploy` makes it, on ministack: AWS's services in one process on this machine, functions run as built."""

import contextlib
import json
import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import boto3
import pytest

ROOT = Path(__file__).parents[2]
BIN = ROOT / ".venv-sam" / "bin"
BUILT = ROOT / ".aws-sam" / "here" / "template.yaml"
STACK = "fermata-test"
START_LIMIT_SECONDS = 30


@pytest.fixture(scope="session")
def aws(tmp_path_factory):
    """What an AWS client needs to reach ministack. It runs functions in its own interpreter: the one they were built for."""
    if not BUILT.exists() or not (BIN / "ministack").exists():
        pytest.fail("Nothing is built yet: `make test` builds, then runs these tests.")
    home = tmp_path_factory.mktemp("aws")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "TMPDIR": str(home),
        "STATE_DIR": str(home / "state"),
        "LANG": "C.UTF-8",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "SAM_CLI_TELEMETRY": "0",
    }
    switches = {"BIND_HOST": "127.0.0.1", "GATEWAY_PORT": str(port), "IOT_MTLS_ENABLED": "0", "MINISTACK_REGION": "us-east-1"}
    log = (home / "ministack.log").open("w+")
    server = subprocess.Popen([BIN / "ministack"], env=environment | switches, stdout=log, stderr=subprocess.STDOUT)
    try:
        _until_up(f"http://127.0.0.1:{port}/_ministack/health", server, log)
        yield environment
    finally:
        server.terminate()
        server.wait(timeout=20)
        log.close()


@pytest.fixture(scope="session")
def client(aws):
    def make(service):
        return boto3.client(
            service,
            endpoint_url=aws["AWS_ENDPOINT_URL"],
            region_name=aws["AWS_DEFAULT_REGION"],
            aws_access_key_id=aws["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=aws["AWS_SECRET_ACCESS_KEY"],
        )

    return make


@pytest.fixture(scope="session")
def stack(aws, client):
    """The deployed stack's outputs. The vendor of a test is on this machine, so its address is allowed, and polls may be quick."""
    command = ["sam", "deploy", "--template-file", BUILT, "--stack-name", STACK, "--resolve-s3", "--capabilities", "CAPABILITY_IAM"]
    choices = ["--no-confirm-changeset", "--no-progressbar", "--parameter-overrides", "EgressAllow=loopback MinPollIntervalSeconds=1"]
    # From a folder without samconfig.toml: what it says is for people.
    done = subprocess.run([*command, *choices], env=aws, cwd=aws["HOME"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (described,) = client("cloudformation").describe_stacks(StackName=STACK)["Stacks"]
    return SimpleNamespace(**{output["OutputKey"]: output["OutputValue"] for output in described["Outputs"]})


@pytest.fixture(scope="session")
def api(client, stack):
    """`api(method, path, body)`: the status and body that the deployed api function answers a gateway's event with."""
    return _door(client, stack.ApiFunctionName, "api/start-workflow")


@pytest.fixture(scope="session")
def interface(client, stack):
    """The same of the function that answers Air Pipe's interfaces."""
    return _door(client, stack.AirPipeFunctionName, "airpipe/call-interface")


def _door(client, function, event_like):
    functions = client("lambda")
    template = json.loads((ROOT / "events" / f"{event_like}.json").read_text())

    def call(method, path, body=None):
        context = template["requestContext"]
        http = {**context["http"], "method": method, "path": path}
        event = {**template, "rawPath": path, "rawQueryString": "", "requestContext": {**context, "http": http}}
        event |= {"body": body if isinstance(body, str) else json.dumps(body)} if body is not None else {"body": ""}
        answer = functions.invoke(FunctionName=function, Payload=json.dumps(event))
        payload = json.load(answer["Payload"])
        assert "FunctionError" not in answer, payload
        with contextlib.suppress(ValueError):
            return payload["statusCode"], json.loads(payload["body"])
        return payload["statusCode"], payload["body"]

    return call


def _until_up(url, server, log):
    deadline = time.monotonic() + START_LIMIT_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=1):
            return
        time.sleep(0.1)  # noqa: TID251 - another process starts
    log.seek(0)
    pytest.fail(f"ministack did not start:\n{log.read()[-2000:]}")
