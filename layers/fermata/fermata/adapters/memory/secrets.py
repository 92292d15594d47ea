"""Secrets from a mapping: tests, and a laptop's own file."""

from collections.abc import Mapping


class MemorySecrets:
    """A `Secrets`. Never prints its values."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = dict(values or {})

    def get(self, name: str) -> str | None:
        return self._values.get(name)
