"""The authorizer door's core: API Gateway's question about a token in, who is calling out.

It lets every request on, and the api door refuses. The gateway's own refusal is a 403 without Conductor's body: an SDK whose token has
expired would not learn that it needs a new one. The gateway remembers the answer for a token, be it good or bad.
"""

from collections.abc import Callable
from typing import Any

from fermata.api.identity import identity_to_context
from fermata.application.access import Access
from fermata.application.identify import identify

Event = dict[str, Any]


def create(access: Access) -> Callable[[Event], dict[str, Any]]:
    """Return the handler of an HTTP API authorizer's event (payload 2.0), which answers in the simple format."""

    def door(event: Event) -> dict[str, Any]:
        # The identity source, not the header: it is what the gateway remembers the answer under.
        (token,) = event["identitySource"]
        return {"isAuthorized": True, "context": identity_to_context(identify(access, token))}

    return door
