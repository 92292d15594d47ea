"""The web UI on this machine in front of any server: the pages from here, `/api` handed on under the user's credentials.

Whoever reaches it acts as the user. So it answers the browser that was given its secret, at its own address, and pages of its own origin;
other users of the machine, other sites, and names that were made to point here (DNS rebinding) are refused.
"""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from fermata.web.door import Door, is_for_pages

from fermata_local import lambda_events
from fermata_local.clocks import RealClock
from fermata_local.lambda_events import GatewayAnswer, GatewayRequest, refusal

API = "/api/"
KEY = "key"
_NAMES = ("127.0.0.1", "localhost")
_OWN_SITES = ("same-origin", "none")  # none: the user's own doing, such as a typed address
# What a page may say to the API. Not its cookies, and nothing about credentials.
_HANDED_ON = ("accept", "content-type", "if-none-match", "x-idempotency-key", "x-idempotency-strategy")
# Of one connection only, or about an encoding that is undone here (RFC 9110, 7.6.1).
_KEPT_BACK = ("connection", "content-encoding", "content-length", "keep-alive", "server", "set-cookie", "transfer-encoding")

# Whatever the API says, it is no page of this origin.
_NO_PAGE = {"content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox", "x-content-type-options": "nosniff"}

HandOn = Callable[[str, str, Mapping[str, str], bytes], GatewayAnswer]


@dataclass(frozen=True)
class Front:
    """What a local port answers. `hand_on` takes method, path and query below `/api`, headers and body. Safe from many threads."""

    pages: Door
    hand_on: HandOn
    port: int
    secret: str

    @property
    def address(self) -> str:
        """Where to go first: the secret is in it, and stays in the browser as a cookie."""
        return f"http://{_NAMES[0]}:{self.port}/ui?{KEY}={self.secret}"

    def __call__(self, request: GatewayRequest) -> GatewayAnswer:
        headers = {name.lower(): value for name, value in request.headers}
        parts = urlsplit(request.target)
        if headers.get("host") not in {f"{name}:{self.port}" for name in _NAMES}:
            return refusal(403, f"This is not the address of the web UI. Open {_NAMES[0]}:{self.port}.")
        if self._same(parse_qs(parts.query).get(KEY, [""])[0]):
            return self._let_in(parts.path)
        if not self._same(_cookies(headers.get("cookie", "")).get(self._cookie, "")):
            return refusal(403, "Open the address that `fermata ui` has printed: it lets this browser in.")
        if request.target.startswith(API):
            return self._api(request, headers)
        return self._page(request, parts.path)

    def _api(self, request: GatewayRequest, headers: Mapping[str, str]) -> GatewayAnswer:
        origin = headers.get("origin", f"http://{headers['host']}")
        if origin != f"http://{headers['host']}" or headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            return refusal(403, "Only the web UI's own pages may ask.")
        sent = {name: value for name, value in headers.items() if name in _HANDED_ON}
        answer = self.hand_on(request.method, request.target.removeprefix(API[:-1]), sent, request.body)
        told = {name.lower(): value for name, value in answer.headers.items() if name.lower() not in _KEPT_BACK}
        return GatewayAnswer(answer.status, {**told, **_NO_PAGE}, answer.body)

    def _page(self, request: GatewayRequest, path: str) -> GatewayAnswer:
        if not is_for_pages(path):
            return refusal(404, f"There is nothing at {path[:100]}. The web UI is at /ui.")
        event = lambda_events.http_api(request, "ui", RealClock().now())
        return lambda_events.gateway_answer(self.pages(event, None))

    def _let_in(self, path: str) -> GatewayAnswer:
        """Give the browser the secret to keep, and take it out of the address."""
        cookie = f"{self._cookie}={self.secret}; Path=/; HttpOnly; SameSite=Strict"
        return GatewayAnswer(303, {"location": path if is_for_pages(path) else "/ui", "set-cookie": cookie, "cache-control": "no-store"})

    @property
    def _cookie(self) -> str:
        return f"fermata-ui-{self.port}"  # browsers do not keep the cookies of ports apart

    def _same(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.secret.encode())


def _cookies(header: str) -> Mapping[str, str]:
    pairs = (each.strip().partition("=") for each in header.split(";"))
    return {name: value for name, _, value in pairs}
