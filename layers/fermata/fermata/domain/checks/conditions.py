"""A `terminationCondition` that no failed job can satisfy: the task would poll a dead job until its polls are used up.

In general nobody can tell. It is told only for conditions made of nothing but comparisons of state-like fields with literal texts
(joined by `||`, `&&` and brackets, in a `return` or not, over variables that name such fields), all of them words of success.
"""

import re
from collections.abc import Iterable, Mapping

from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.poll_settings import polling_fields
from fermata.domain.tasks.http_poll import expressions as poll_expressions

_SUCCESS = frozenset(
    {"SUCCEEDED", "SUCCEED", "SUCCESS", "SUCCESSFUL", "COMPLETED", "COMPLETE", "DONE", "FINISHED", "READY", "OK", "PASSED"}
)
_STATE_LIKE = re.compile(r"(?:^|[a-z_-])(state|status|phase|stage|outcome|result)$", re.IGNORECASE)
_MAX_READ = 2_000  # characters; longer conditions are programs

_PATH = r"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[['\"][\w-]+['\"]\])*"
_VALUE = rf"(?:String\(\s*)?(?P<path>{_PATH})(?:\s*\))?"
_TEXT = r"(?:'(?P<single>[^'\\]*)'|\"(?P<double>[^\"\\]*)\")"
_TEXT_ITEM = r"\s*(?:'[^'\\]*'|\"[^\"\\]*\")"
_COMPARISON = re.compile(rf"{_VALUE}\s*===?\s*{_TEXT}")
_MIRRORED = re.compile(rf"{_TEXT}\s*===?\s*{_VALUE}")
_LISTED = re.compile(rf"\[(?P<list>{_TEXT_ITEM}(?:\s*,\s*{_TEXT_ITEM})*)\s*\]\.includes\(\s*{_VALUE}\s*\)")
_ASSIGNMENT = re.compile(rf"(?:var|let|const)\s+(?P<name>[A-Za-z_$][\w$]*)\s*=\s*(?P<path>{_PATH})\s*(?:;|\n)")
_WRAPPERS = (
    re.compile(r"^\(\s*function\s*\(\s*\)\s*\{(?P<body>.*)\}\s*\)\s*\(\s*\)\s*;?$", re.DOTALL),
    re.compile(r"^\(\s*function\s*\(\s*\)\s*\{(?P<body>.*)\}\s*\(\s*\)\s*\)\s*;?$", re.DOTALL),
    re.compile(r"^\(\s*\(\s*\)\s*=>\s*\{(?P<body>.*)\}\s*\)\s*\(\s*\)\s*;?$", re.DOTALL),
)
_METHODS = re.compile(r"\??\.(?:toUpperCase|toLowerCase|toString|trim)\(\)")


def hopeful_conditions(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn about each condition that only success can satisfy."""
    for task, path in subject.located:
        if task.type != "HTTP_POLL":
            continue
        for place in poll_expressions(task):
            words = only_success(str(polling_fields(task.input_parameters).get("terminationCondition", "")))
            if words:
                named = ", ".join(sorted(words))
                message = (
                    f"{task.task_reference_name} stops at {named} only: a job that fails is polled until its polls are used up; "
                    "name its failure states too"
                )
                yield DefinitionWarning(f"{path}.{place}", message, "CONDITION_MISSES_FAILURE")


def only_success(condition: str) -> frozenset[str]:
    """Return the words of success that a condition compares with, if it is decidable and holds for nothing else; else nothing."""
    if len(condition) > _MAX_READ:
        return frozenset()
    body, names = _unwrapped(condition.strip())
    compared: list[tuple[str, str]] = []

    def note(found: re.Match[str]) -> str:
        compared.append((found["path"], found["single"] if found["single"] is not None else found["double"]))
        return " "

    def note_list(found: re.Match[str]) -> str:
        compared.extend((found["path"], text.strip()[1:-1]) for text in re.findall(_TEXT_ITEM, found["list"]))
        return " "

    rest = _MIRRORED.sub(note, _COMPARISON.sub(note, _LISTED.sub(note_list, body)))
    if not compared or re.fullmatch(r"(?:[\s|&();]|return\b)*", rest) is None:
        return frozenset()
    if not all(_STATE_LIKE.search(_last(names.get(path, path))) for path, _ in compared):
        return frozenset()
    words = frozenset(word for _, word in compared)
    return words if all(word.upper() in _SUCCESS for word in words) else frozenset()


def _unwrapped(condition: str) -> tuple[str, Mapping[str, str]]:
    """Return the condition without its function and its assignments, and what each assigned name stands for."""
    text = _METHODS.sub("", condition)
    for wrapper in _WRAPPERS:
        found = wrapper.fullmatch(text)
        if found:
            text = found["body"].strip()
            break
    names = {found["name"]: found["path"] for found in _ASSIGNMENT.finditer(text)}
    return _ASSIGNMENT.sub(" ", text), names


def _last(path: str) -> str:
    return re.split(r"[.\[\]'\"?]+", path.rstrip("]'\""))[-1]
