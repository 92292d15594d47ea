"""A rerun that names a task of a child, or of its child: it happens there, and the runs above go on (engine reference, 7.5 and 7.9)."""

from typing import Any

import pytest
from fermata.application import operate
from fermata.domain.commands import Rerun
from fermata.domain.errors import Conflict, InvalidRequest
from fermata.domain.executions import Task
from fermata.domain.status import WorkflowStatus

from tests.support.world import World, answer, step, workflow


def sub(reference: str, name: str) -> dict[str, Any]:
    return step("SUB_WORKFLOW", reference, {"x": 1}, subWorkflowParam={"name": name})


class Family:
    """A run, its child and its grandchild, which fails at its second request until it is mended."""

    def __init__(self, first: dict[str, Any] | None = None) -> None:
        self.broken = True
        self.asked: list[str] = []
        self.world = World(self.vendor)
        request = [step("HTTP", name, {"http_request": {"uri": f"http://v/{name}", "method": "GET"}}) for name in ("one", "two")]
        self.world.register({**workflow(*([first] if first else request)), "name": "grandchild"})
        self.world.register({**workflow(sub("inner", "grandchild")), "name": "child"})
        self.top = self.world.start(workflow(sub("outer", "child"), step("NOOP", "after")))
        self.world.run()

    def vendor(self, request: Any) -> Any:
        name = request.uri.rpartition("/")[2]
        self.asked.append(name)
        return answer({}, 500 if self.broken and name == "two" else 200)

    def child(self, workflow_id: str, reference: str) -> str:
        return self.world.tasks(workflow_id)[reference].sub_workflow_id or ""

    @property
    def grandchild(self) -> str:
        return self.child(self.child(self.top, "outer"), "inner")

    def task(self, reference: str) -> Task:
        return self.world.tasks(self.grandchild)[reference]

    def statuses(self) -> set[WorkflowStatus]:
        runs = (self.top, self.child(self.top, "outer"), self.grandchild)
        return {self.world.view(each).workflow.status for each in runs}


def test_a_rerun_from_a_descendants_task_happens_there_and_everything_above_goes_on() -> None:
    family = Family()
    assert (family.statuses(), family.asked) == ({WorkflowStatus.FAILED}, ["one", "two"])
    family.broken, grandchild = False, family.grandchild
    operate.rerun(family.world.engine, family.top, Rerun(family.task("two").task_id))
    family.world.run()
    assert (family.statuses(), family.asked, family.grandchild) == ({WorkflowStatus.COMPLETED}, ["one", "two", "two"], grandchild)


def test_a_new_input_reaches_the_descendants_task() -> None:
    family = Family()
    given = {"http_request": {"uri": "http://v/other", "method": "GET"}}
    operate.rerun(family.world.engine, family.top, Rerun(family.task("two").task_id, task_input=given))
    family.world.run()
    assert (family.statuses(), family.asked) == ({WorkflowStatus.COMPLETED}, ["one", "two", "other"])


def test_another_input_of_the_run_does_not_go_with_a_descendants_task() -> None:
    family = Family()
    with pytest.raises(InvalidRequest, match=f"belongs to workflow {family.grandchild}"):
        operate.rerun(family.world.engine, family.top, Rerun(family.task("two").task_id, workflow_input={"n": 1}))


def test_a_run_that_goes_on_cannot_be_rerun_from_below() -> None:
    family = Family(first=step("HUMAN", "two"))
    with pytest.raises(Conflict, match=f"Workflow {family.top} is RUNNING"):
        operate.rerun(family.world.engine, family.top, Rerun(family.task("two").task_id))


def test_a_task_of_a_run_that_stands_elsewhere_is_refused() -> None:
    family = Family()
    other = family.world.start({**workflow(step("NOOP", "n")), "name": "other"})
    family.world.run()
    with pytest.raises(InvalidRequest, match="is not a task of workflow"):
        operate.rerun(family.world.engine, family.top, Rerun(family.world.tasks(other)["n"].task_id))
