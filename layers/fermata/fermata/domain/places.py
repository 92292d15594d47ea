"""Where something stands in a definition, in Conductor's spelling: `tasks[0].decisionCases['FAILED'][1].inputParameters.uri`."""

import re
from collections.abc import Iterator, Mapping

from fermata.domain.definitions import WorkflowTask
from fermata.domain.json_value import Json

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def member(path: str, key: str) -> str:
    """Return the place of `key` in the object at `path`; keys that aren't plain names are quoted."""
    return f"{path}.{key}" if _PLAIN_KEY.fullmatch(key) else path + _quoted(key)


def located_tasks(tasks: tuple[WorkflowTask, ...]) -> Iterator[tuple[WorkflowTask, str]]:
    """Yield every task with its place, parents before children, in order. Definitions may nest deeply: no recursion."""
    waiting = _reversed_list(tasks, "tasks")
    while waiting:
        task, path = waiting.pop()
        yield task, path
        children = [(cases, f"{path}.decisionCases{_quoted(case)}") for case, cases in task.decision_cases.items()]
        children.append((task.default_case, f"{path}.defaultCase"))
        children += [(branch, f"{path}.forkTasks[{index}]") for index, branch in enumerate(task.fork_tasks)]
        children.append((task.loop_over, f"{path}.loopOver"))
        for nested, place in reversed(children):
            waiting += _reversed_list(nested, place)


def located_strings(value: Json, path: str) -> Iterator[tuple[str, str]]:
    """Yield every string in `value` with its place, in order; keys left out."""
    waiting = [(value, path)]
    while waiting:
        current, place = waiting.pop()
        if isinstance(current, str):
            yield current, place
        elif isinstance(current, Mapping):
            waiting += [(item, member(place, key)) for key, item in reversed(list(current.items()))]
        elif isinstance(current, list | tuple):
            waiting += [(item, f"{place}[{index}]") for index, item in reversed(list(enumerate(current)))]


def _reversed_list(tasks: tuple[WorkflowTask, ...], path: str) -> list[tuple[WorkflowTask, str]]:
    return [(task, f"{path}[{index}]") for index, task in reversed(list(enumerate(tasks)))]


def _quoted(key: str) -> str:
    escaped = key.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{escaped}']"
