"""Think about a definition beyond what registration refuses."""

from fermata.application.engine import Engine
from fermata.application.start import pinnable
from fermata.domain.checks import DefinitionWarning, warnings_about
from fermata.domain.definitions import WorkflowDefinition


def warnings(engine: Engine, definition: WorkflowDefinition) -> tuple[DefinitionWarning, ...]:
    """Return what to warn about in a valid definition, its tasks' registered definitions taken into account. Nothing is refused."""
    return warnings_about(pinnable(engine, definition), engine.min_poll_interval)
