"""What registration warns about: a definition that is right and will not do what its author means."""

from fermata.domain.checks.registry import warnings_about
from fermata.domain.checks.subject import DefinitionWarning

__all__ = ["DefinitionWarning", "warnings_about"]
