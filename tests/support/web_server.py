"""The local server as browser tests use it: a clock that jumps when told, a scripted vendor, pages from any folder."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fermata.domain.access import Authorization
from fermata.web.door import create
from fermata_local import checkout, server
from fermata_local.clocks import LocalClock, SkippingClock
from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud, engine_doors
from fermata_local.doors import Handler
from fermata_local.lambda_events import GatewayAnswer, GatewayRequest

from tests.support.scripted_vendor import ScriptedVendor

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
BUILT = checkout.ROOT / "functions" / "web" / "assets"


@dataclass
class WebServer:
    """Nothing moves by itself: `settle` delivers what is due now, `pass_time` lets the clock run. A refused request fails the test."""

    url: str
    cloud: LocalCloud
    vendor: ScriptedVendor
    token: str | None  # an admin's, where callers need one
    requests: list[GatewayRequest]  # what browsers have asked for

    def api(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> Any:
        """Make one REST request, as the admin unless another token is given. Returns its JSON, or its text."""
        shown = token or self.token
        answer = self.cloud.api(method, f"/api{path}", body, {"x-authorization": shown} if shown else None)
        assert answer.status < 300, f"{method} {path}: {answer.status} {answer.text}"
        return answer.json if "json" in answer.headers.get("Content-Type", "") else answer.text

    def key(self, role: str) -> dict[str, str]:
        """Make an access key; returns `keyId`, `keySecret`."""
        made: dict[str, str] = self.api("POST", "/keys", {"name": role, "role": role})
        return made

    def token_of(self, role: str) -> str:
        made: str = self.api("POST", "/token", self.key(role))["token"]
        return made

    def register(self, *definitions: Mapping[str, Any]) -> None:
        self.api("PUT", "/metadata/workflow", list(definitions))

    def start(self, name: str, workflow_input: Mapping[str, Any] | None = None) -> str:
        """Start a run, deliver what is due at once, and return its id."""
        workflow_id: str = self.api("POST", f"/workflow/{name}", dict(workflow_input or {}))
        self.settle()
        return workflow_id

    def start_main_job(self, *states: str) -> str:
        """Start the example with a vendor that tells these states. The first poll is made at once."""
        self.vendor.job(*states)
        definition = json.loads(checkout.EXAMPLE_DEFINITION.read_text())
        self.register(definition)
        return self.start(definition["name"], {"jobApiUrl": self.vendor.url, "dataset": "orders"})

    def run(self, workflow_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.api("GET", f"/workflow/{workflow_id}")
        return found

    def settle(self) -> None:
        while self.cloud.pump.step():
            pass

    def pass_time(self, length: timedelta) -> None:
        self.cloud.run_for(length)


@contextmanager
def serving(assets: Path = BUILT, *, keys: bool = False, min_poll_interval: int | None = None) -> Iterator[WebServer]:
    """Open the server. One at a time in a process."""
    vendor = ScriptedVendor()

    @contextmanager
    def doors(clock: LocalClock) -> Iterator[Mapping[str, Handler]]:
        with engine_doors(clock, cloud.pauses) as engine:
            yield {**engine, "web": create(assets, Authorization.KEYS if keys else Authorization.NONE)}

    cloud = LocalCloud(
        SkippingClock(START), min_poll_interval=min_poll_interval, keys=keys, sweep_every=SKIPPING_SWEEP, doors_of=doors, say=lambda _: None
    )
    requests: list[GatewayRequest] = []

    def noted(request: GatewayRequest) -> GatewayAnswer:
        requests.append(request)
        return cloud.http(request)

    with cloud, server.serving(vendor) as vendor.url, server.serving(noted) as url:
        token = cloud.api("POST", "/api/token", cloud.first_key()).json["token"] if keys else None
        yield WebServer(url, cloud, vendor, token, requests)
