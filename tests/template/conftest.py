"""The template as Python values."""

from pathlib import Path

import pytest

from tools import sam_template

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def template():
    return sam_template.load(ROOT / "template.yaml")


@pytest.fixture(scope="session")
def resources(template):
    return template["Resources"]


@pytest.fixture(scope="session")
def functions(template):
    return sam_template.functions(template)
