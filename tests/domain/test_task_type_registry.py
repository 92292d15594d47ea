"""The registry: what every type must bring, and that nobody outside its file names it."""

import ast
import sys
from pathlib import Path

import fermata
import pytest
from fermata.application.run_task import _RUNNERS
from fermata.domain.tasks.registry import TASK_TYPES, type_shown_as
from fermata.domain.tasks.task_type import RunElsewhere, StartChild, TaskType

PACKAGE = Path(fermata.__file__).parent
DECIDING = ["decider", "moving", "concluding", "scheduling", "starting", "opening", "ending", "counting", "deciding"]
NAMELESS = [PACKAGE / "domain" / f"{name}.py" for name in DECIDING] + sorted((PACKAGE / "application").glob("*.py"))


def test_every_type_that_needs_a_runner_has_one_and_no_other_has():
    assert set(_RUNNERS) == {name for name, kind in TASK_TYPES.items() if kind.has_runner}


@pytest.mark.parametrize("kind", TASK_TYPES.values(), ids=lambda kind: kind.name)
def test_a_type_that_asks_a_door_says_so(kind: TaskType):
    used = vars(sys.modules[kind.start.__module__])  # a name that is imported there is used there: the linter sees to it
    assert (RunElsewhere.__name__ in used or StartChild.__name__ in used) == kind.has_runner


@pytest.mark.parametrize("kind", [kind for kind in TASK_TYPES.values() if not kind.record_name], ids=lambda kind: kind.name)
def test_a_record_leads_back_to_its_type(kind: TaskType):
    shown = "resize" if kind.record_is_step_name else kind.name
    assert type_shown_as(shown) is kind


@pytest.mark.parametrize("path", NAMELESS, ids=lambda path: path.stem)
def test_neither_the_decider_nor_a_use_case_names_a_type(path: Path):
    texts = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert texts & TASK_TYPES.keys() == set()
