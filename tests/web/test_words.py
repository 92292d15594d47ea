"""What the pages say and compute, value in and value out: `web/tests`, under Node's own test runner."""

import shutil
import subprocess

import pytest
from fermata_local import checkout

WEB = checkout.ROOT / "web"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_words_and_numbers_of_the_pages():
    assert (WEB / "node_modules").is_dir(), "run `make test`, which installs what the pages are built with"
    tried = subprocess.run(["node", "test.mjs"], cwd=WEB, capture_output=True, text=True, timeout=100, check=False)
    assert tried.returncode == 0, tried.stdout
