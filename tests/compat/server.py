"""Starts the local server for tests that drive it from outside, through a socket, on the real clock."""

from collections.abc import Iterator
from contextlib import contextmanager

from fermata_local import server
from fermata_local.clocks import RealClock
from fermata_local.cloud import LocalCloud


@contextmanager
def local_server() -> Iterator[str]:
    """Give the address that a client is configured with, `/api` included."""
    with LocalCloud(RealClock(), min_poll_interval=1) as cloud:
        cloud.start_pump()
        with server.serving(cloud.http) as url:
            yield f"{url}/api"
