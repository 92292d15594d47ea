"""How two tasks of a definition stand to each other: which can have run before the other."""

from enum import Enum, auto

from fermata.domain.checks.subject import Subject
from fermata.domain.flow import FORKS, LOOP, Place


class Order(Enum):
    """What `that` is to `this`, seen from `this`."""

    MAY_HAVE_RUN = auto()
    LATER = auto()
    INSIDE = auto()
    OTHER_BRANCH = auto()
    SIDE_BY_SIDE = auto()


def order(subject: Subject, this: str, that: str) -> Order:
    """Return whether `that` can have run when `this` starts. In a loop, an earlier iteration counts."""
    ours, theirs = subject.chain(this), subject.chain(that)
    shared = _shared(ours, theirs)
    if any(place.task.type == LOOP for place in shared) and not _forked(shared, ours, theirs):
        return Order.MAY_HAVE_RUN
    if len(shared) == len(theirs):
        return Order.MAY_HAVE_RUN  # `that` is `this`, or holds it: it began before
    if len(shared) == len(ours):
        return Order.MAY_HAVE_RUN if shared[-1].task.type == LOOP else Order.INSIDE
    mine, other = ours[len(shared)], theirs[len(shared)]
    if mine.siblings is other.siblings:
        return Order.MAY_HAVE_RUN if other.index < mine.index else Order.LATER
    return Order.SIDE_BY_SIDE if _forked(shared, ours, theirs) else Order.OTHER_BRANCH


def _shared(ours: tuple[Place, ...], theirs: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return the places of the tasks that are, or hold, both."""
    count = 0
    while count < min(len(ours), len(theirs)) and ours[count].task is theirs[count].task:
        count += 1
    return ours[:count]


def _forked(shared: tuple[Place, ...], ours: tuple[Place, ...], theirs: tuple[Place, ...]) -> bool:
    """Tell whether the two stand in different branches of one fork."""
    if not shared or shared[-1].task.type not in FORKS or len(shared) in (len(ours), len(theirs)):
        return False
    return ours[len(shared)].siblings is not theirs[len(shared)].siblings
