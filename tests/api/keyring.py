"""A REST door that asks for tokens, with what API Gateway would have told it of the caller."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from fermata.adapters.clock import SystemChance
from fermata.adapters.memory.access import MemoryAccessKeys, MemorySigningKeys
from fermata.api import authorizer
from fermata.api.app import ROUTES, create
from fermata.api.http import Route
from fermata.application import keep_keys
from fermata.application.access import Access
from fermata.domain.access import Authorization, Role

from tests.api.gateway import Answer, Gateway, event
from tests.support.world import World

SIGNED = {"iam": {"userArn": "arn:aws:iam::123456789012:user/caller"}}


class Keyring:
    def __init__(self, authorization: Authorization = Authorization.KEYS, routes: tuple[Route, ...] = ROUTES) -> None:
        self.world = World()
        self.clock = self.world.clock
        self.access = Access(MemoryAccessKeys(), MemorySigningKeys(), SystemChance(), self.clock, timedelta(hours=1))
        engine = replace(self.world.engine, access=self.access)
        self.gateway = Gateway(engine)
        self.gateway.door = create(engine, routes, authorization)
        self.ask = authorizer.create(self.access)

    def key(self, role: Role, **options: Any) -> tuple[str, str]:
        """Return the id and the secret of a new key."""
        made = keep_keys.create(self.access, "test", role, **options)
        return made.key.key_id, made.secret

    def exchange(self, key_id: str, secret: str) -> Answer:
        return self.gateway("POST", "/api/token", {"keyId": key_id, "keySecret": secret})

    def token(self, role: Role) -> str:
        return str(self.exchange(*self.key(role)).json["token"])

    def nobody(self, method: str, target: str, body: Any = None) -> Answer:
        return self.gateway(method, target, body)

    def signed(self, method: str, target: str, body: Any = None) -> Answer:
        return self._told(SIGNED, event(method, target, body))

    def as_role(self, role: Role, method: str, target: str, body: Any = None) -> Answer:
        return self.with_token(self.token(role), method, target, body)

    def with_token(self, token: str, method: str, target: str, body: Any = None) -> Answer:
        return self._told({"lambda": self.said_of(token)}, event(method, target, body))

    def with_context(self, context: Any, method: str, target: str) -> Answer:
        return self._told({"lambda": context}, event(method, target))

    def said_of(self, token: str) -> Any:
        answered = self.ask({"identitySource": [token]})
        assert answered["isAuthorized"] is True
        return answered["context"]

    def _told(self, authorizer_said: dict[str, Any], built: dict[str, Any]) -> Answer:
        built["requestContext"]["authorizer"] = authorizer_said
        return self.gateway.send(built)
