"""`${...}` in definitions: finding it, reading its paths, replacing it, and revealing secrets at the moment of a call."""

from fermata.domain.expressions.mentions import Mention, mentions, references
from fermata.domain.expressions.resolving import Scope, resolve
from fermata.domain.expressions.secret_references import reveal, secret_names

__all__ = ["Mention", "Scope", "mentions", "references", "resolve", "reveal", "secret_names"]
