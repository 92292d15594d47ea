"""The official JavaScript client, as it comes from npm, drives the local server."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.compat.server import local_server

STORIES = Path(__file__).parent / "javascript"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_users_of_the_javascript_client() -> None:
    assert (STORIES / "node_modules").is_dir(), "run `make test`, which installs the client"
    with local_server() as url:
        command = ["node", "--test", "--test-reporter=spec", "stories.test.mjs"]
        environment = {**os.environ, "CONDUCTOR_SERVER_URL": url}
        played = subprocess.run(command, cwd=STORIES, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert played.returncode == 0, played.stdout
