"""The page about testing is true: its example runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "testing.md").read_text(), re.DOTALL)
TESTS = [name for block in BLOCKS for name in re.findall(r"^def (test_\w+)", block, re.MULTILINE)]


@pytest.mark.parametrize("name", TESTS)
def test_the_example_on_the_page_passes(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    page: dict = {}
    exec(compile("\n".join(BLOCKS), "docs/testing.md", "exec"), page)
    page[name]()


def test_there_is_an_example():
    assert len(TESTS) >= 5
