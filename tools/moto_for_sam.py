"""Serve moto with what the template creates in it, for `sam local` and the tests of the built functions. Until Ctrl-C."""

import argparse
import logging
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from fermata_local import environment, resources

# The rest of moto's server needs packages that none of our services use.
warnings.filterwarnings("ignore", message="When using MotoServer", category=UserWarning)
from moto.server import ThreadedMotoServer  # noqa: E402 - after the filter, because importing it warns

logging.getLogger("werkzeug").setLevel(logging.WARNING)  # a line for each request hides what matters

ALL_ADDRESSES = "0.0.0.0"  # noqa: S104 - containers reach the host by its bridge address


@contextmanager
def serving(host: str, port: int) -> Iterator[str]:
    """Serve until the end of the block. Yields the endpoint's URL; port 0 takes a free one."""
    server = ThreadedMotoServer(ip_address=host, port=port, verbose=False)
    server.start()
    try:
        endpoint = f"http://127.0.0.1:{server.get_host_and_port()[1]}"
        variables = environment.variables(min_poll_interval=None)
        with environment.applied({**variables, "AWS_ENDPOINT_URL": endpoint}):
            resources.create(secrets={})
        yield endpoint
    finally:
        server.stop()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--port", type=int, default=5000)
    arguments.add_argument("--host", default=ALL_ADDRESSES)
    chosen = arguments.parse_args()
    with serving(chosen.host, chosen.port) as endpoint:
        print(f"moto serves Fermata's table, queues and bucket at {endpoint} (events/env.json names them). Ctrl-C ends it.")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("Ended.")


if __name__ == "__main__":
    os.environ.pop("AWS_PROFILE", None)
    main()
