"""Think about a definition beyond what registration refuses."""

from dataclasses import replace

from fermata.application.embedded import embedded
from fermata.application.engine import Engine
from fermata.application.start import pinnable
from fermata.domain.checks import DefinitionWarning, warnings_about
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import InvalidRequest


def warnings(engine: Engine, definition: WorkflowDefinition) -> tuple[DefinitionWarning, ...]:
    """Return what to warn about in a valid definition, its tasks' registered definitions taken into account. Nothing is refused.

    What stands in the definitions inside it follows, with its whole place.
    """
    found = list(warnings_about(pinnable(engine, definition), engine.min_poll_interval))
    for path, inside in embedded(definition):
        if not isinstance(inside, InvalidRequest):
            found += (replace(each, path=f"{path}.{each.path}") for each in warnings(engine, inside))
    return tuple(found)
