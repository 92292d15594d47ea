"""Secrets at the moment of a call: filled into what is sent, and kept out of what is said about it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from fermata.domain.expressions import reveal
from fermata.domain.json_value import Json

SHORTEST_HIDDEN = 3  # shorter texts stand in any sentence; hiding them would only garble it


@dataclass
class Revealing:
    """One call's secrets. `fill` reveals them in a value, `look_up` a single one, `hide` puts their names back into a text."""

    lookup: Callable[[str], str | None]
    _seen: dict[str, str] = field(default_factory=dict)

    def fill(self, value: Json) -> Json:
        return reveal(value, self.look_up)

    def hide(self, text: str) -> str:
        for name, secret in sorted(self._seen.items(), key=lambda item: -len(item[1])):
            if len(secret) >= SHORTEST_HIDDEN:
                text = text.replace(secret, f"${{workflow.secrets.{name}}}")
        return text

    def look_up(self, name: str) -> str | None:
        """Return a secret, or None; `hide` knows it from now on."""
        secret = self.lookup(name)
        if secret:
            self._seen[name] = secret
        return secret
