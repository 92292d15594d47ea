"""The checks, in the order in which their warnings are shown. Adding one is one file and one line here."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeAlias

from fermata.domain.checks.conditions import hopeful_conditions
from fermata.domain.checks.joins import hopeless_joins
from fermata.domain.checks.polls import cut_short_polls, raised_intervals
from fermata.domain.checks.reachable import unreachable_tasks
from fermata.domain.checks.references import references_too_early
from fermata.domain.checks.requests import repeated_unsafe_requests
from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.checks.switches import silent_defaults
from fermata.domain.definitions import WorkflowDefinition

Check: TypeAlias = Callable[[Subject], Iterable[DefinitionWarning]]

CHECKS: tuple[Check, ...] = (
    unreachable_tasks,
    hopeless_joins,
    references_too_early,
    cut_short_polls,
    raised_intervals,
    hopeful_conditions,
    silent_defaults,
    repeated_unsafe_requests,
)


def warnings_about(definition: WorkflowDefinition, min_poll_interval: timedelta) -> tuple[DefinitionWarning, ...]:
    """Return what to warn about in a definition that registration accepts. Its task definitions should be embedded."""
    subject = Subject(definition, min_poll_interval)
    return tuple(warning for check in CHECKS for warning in check(subject))
