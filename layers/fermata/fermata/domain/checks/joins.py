"""JOINs that can never be met, need not be met, or wait for themselves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fermata.domain.checks.reachable import BRANCHING, dead_references
from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.definitions import WorkflowTask
from fermata.domain.flow import JOINS, LOOP, Place

_Node = tuple[str, bool]  # a task's reference name; its start (False) or its end (True)


def hopeless_joins(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn about each name a JOIN waits for in vain. What a JOIN after a FORK_JOIN_DYNAMIC waits for is told by the fork."""
    grows = any(task.type == "FORK_JOIN_DYNAMIC" for task, _ in subject.located)
    dead, graph = dead_references(subject), _following(subject)
    for task, path in subject.located:
        if task.type not in JOINS or task.task_reference_name in dead or _after_dynamic_fork(subject, task):
            continue
        held_up = _held_up_by(graph, (task.task_reference_name, True))
        for key, names in (("joinOn", task.join_on), ("defaultExclusiveJoinTask", task.default_exclusive_join_task)):
            for index, name in enumerate(names):
                found = _wrong(subject, task, name, dead, held_up, grows=grows)
                if found:
                    yield DefinitionWarning(f"{path}.{key}[{index}]", f"{task.task_reference_name} waits for {name}, {found[0]}", found[1])


def _after_dynamic_fork(subject: Subject, join: WorkflowTask) -> bool:
    place = subject.flow.places[join.task_reference_name]
    return place.index > 0 and place.siblings[place.index - 1].type == "FORK_JOIN_DYNAMIC"


def _wrong(
    subject: Subject, join: WorkflowTask, name: str, dead: frozenset[str], held_up: set[_Node], *, grows: bool
) -> tuple[str, str] | None:
    places, own = subject.flow.places, join.task_reference_name
    if name not in places:
        return None if grows else ("which is no task of this definition: it waits for ever", "JOIN_UNKNOWN_TASK")
    if name in dead:
        return "which can never run: it stands after a TERMINATE", "JOIN_NEVER_MET"
    if (name, True) in held_up:
        what = "that is itself" if name == own else f"which ends only after {own}"
        return f"{what}: it waits for itself", "JOIN_WAITS_FOR_ITSELF"
    if places[name].loop != places[own].loop:
        return "which is not in the same loop: inside a loop a JOIN sees its own iteration only", "JOIN_NEVER_MET"
    switch = _switch_between(subject, own, name)
    if switch and join.type == "JOIN":
        return f"which runs in some branch of {switch} only: when it does not run, this JOIN fails", "JOIN_NOT_ALWAYS_RUN"
    return None


def _following(subject: Subject) -> Mapping[_Node, Sequence[_Node]]:
    """Return, by what must have happened first, what can only happen after it."""
    found: dict[_Node, list[_Node]] = {}
    for name, place in subject.flow.places.items():
        for node, before in (((name, False), _before_start(place)), ((name, True), _before_end(place))):
            for needed in before:
                found.setdefault(needed, []).append(node)
    return found


def _held_up_by(graph: Mapping[_Node, Sequence[_Node]], node: _Node) -> set[_Node]:
    """Return everything that cannot happen before `node` has, itself included."""
    seen: set[_Node] = set()
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting += graph.get(current, ())
    return seen


def _before_start(place: Place) -> Iterator[_Node]:
    if place.index:
        before = place.siblings[place.index - 1]
        # A fork is over as soon as its branches have started, and its JOIN starts with them.
        yield before.task_reference_name, True
    elif place.container:
        yield place.container.task_reference_name, False


def _before_end(place: Place) -> Iterator[_Node]:
    task = place.task
    yield task.task_reference_name, False
    if task.type == "JOIN":
        yield from ((name, True) for name in task.join_on)
    if task.type == LOOP and task.loop_over:
        yield task.loop_over[-1].task_reference_name, True


def _switch_between(subject: Subject, join: str, awaited: str) -> str | None:
    """Return the outermost SWITCH that holds the awaited task and not the JOIN in the same branch, or None."""
    ours, theirs = subject.chain(join), subject.chain(awaited)
    for depth, place in enumerate(theirs[:-1]):
        if place.task.type in BRANCHING:
            same = depth + 1 < len(ours) and ours[depth].task is place.task and ours[depth + 1].siblings is theirs[depth + 1].siblings
            if not same:
                return place.task.task_reference_name
    return None
