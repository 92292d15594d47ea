"""The official Python client, as it comes from PyPI, drives the local server through every method that open-source Conductor serves."""

from collections.abc import Iterator

import pytest

from tests.compat.listing import PAGE, called, page
from tests.compat.scenarios import STORIES
from tests.compat.sdk import NOT_SERVED, Sdk, public_methods
from tests.compat.server import local_server

pytestmark = pytest.mark.xdist_group("test_python_sdk")  # they share a server


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with local_server() as url:
        yield url


@pytest.mark.parametrize("story", STORIES)
def test_a_user_of_the_python_client(story: str, server: str) -> None:
    STORIES[story](Sdk(server))


def test_every_method_is_called_by_a_story_or_named_as_not_served() -> None:
    assert set(called()) | set(NOT_SERVED) == public_methods()
    assert not set(called()) & set(NOT_SERVED)


def test_the_page_of_methods_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run `make client-list`"
