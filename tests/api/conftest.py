"""The REST door over an engine in memory."""

import pytest

from tests.api.gateway import Gateway
from tests.support.world import World


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def call(world: World) -> Gateway:
    return Gateway(world.engine)
