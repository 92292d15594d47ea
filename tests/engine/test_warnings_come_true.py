"""What registration warns about happens: runs of the warned definitions wait in vain, those of the others do not."""

import re

import pytest
from fermata.domain.status import WorkflowStatus

from tests.domain.test_checks import DESERVED, UNDESERVED
from tests.support.world import World

IN_VAIN = {"JOIN_UNKNOWN_TASK", "JOIN_NEVER_MET", "JOIN_WAITS_FOR_ITSELF"}
HOPELESS = [name for name, (_, warned) in DESERVED.items() if {code for _, code in warned} <= IN_VAIN and "exclusive" not in name]
NULL = [name for name, (_, warned) in DESERVED.items() if {code for _, code in warned} == {"REFERENCE_TOO_EARLY"} and "items" not in name]
MET = [name for name in UNDESERVED if "join" in name and "dynamic fork added" not in name]


@pytest.mark.parametrize("name", HOPELESS)
def test_a_join_that_is_warned_about_fails_the_run(name: str) -> None:
    view = World().outcome(DESERVED[name][0])
    assert view.workflow.status is WorkflowStatus.FAILED
    assert re.search(r"JOIN waits for \w+.*, and nothing is left in the run", view.workflow.reason_for_incompletion or "")


@pytest.mark.parametrize("name", MET)
def test_a_join_that_is_not_warned_about_is_met(name: str) -> None:
    assert World().outcome(UNDESERVED[name]).workflow.status is WorkflowStatus.COMPLETED


@pytest.mark.parametrize("name", [name for name in NULL if "sub-workflow" not in name])
def test_a_reference_that_is_warned_about_is_null(name: str) -> None:
    definition, warned = DESERVED[name]
    key = warned[0][0].rpartition(".")[2]
    view = World().outcome(definition)
    assert view.tasks[0].task.input[key] is None
