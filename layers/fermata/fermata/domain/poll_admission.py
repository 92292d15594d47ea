"""Whether a delivery leads to a poll: is it the next one, and is it due? A stale, early or repeated delivery changes nothing."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from fermata.domain.messages import PollDue
from fermata.domain.polling import PollState


@dataclass(frozen=True)
class Stale:
    """This poll was made already, or the attempt is over: nothing to do."""


@dataclass(frozen=True)
class Early:
    """Not due yet: an early poll is not a poll."""


@dataclass(frozen=True)
class Due:
    """Make poll number `poll` now."""

    poll: int


Admission: TypeAlias = Stale | Early | Due


def admit(state: PollState, message: PollDue, now: datetime) -> Admission:
    """Tell whether a delivery leads to a poll; one that comes too early does not.

    A number ahead of the state comes from an alarm whose poll was never stored: it re-does that poll.
    """
    if not state.is_open or message.poll <= state.polls_made:
        return Stale()
    if now < state.due:
        return Early()
    return Due(state.polls_made + 1)
