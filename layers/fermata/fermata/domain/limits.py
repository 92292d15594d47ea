"""What one run may use at most, as the operator decided. A run that wants more ends with a reason that names the setting to raise."""

from collections.abc import Iterable
from dataclasses import dataclass

from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import Violation
from fermata.domain.places import located_tasks


@dataclass(frozen=True)
class Limits:
    """Each is the last number that is allowed; 1 or more.

    `max_loop_iterations`: of one DO_WHILE. `max_fork_branches`: of one fork, static or dynamic. One decision starts them all, and the door
    that made it writes a row and sends a message for each, one after the other, within its time (29 seconds in `api`).
    `max_sub_workflow_depth`: how many runs a run may stand in. `max_start_chain`: how many runs may start each other, each within a
    minute of its own beginning (`chains.py`).
    """

    max_loop_iterations: int = 100_000
    max_fork_branches: int = 2_000
    max_sub_workflow_depth: int = 25
    max_start_chain: int = 1_000

    def iterations_reason(self, wanted: int | None = None) -> str:
        """Say why a loop ends. `wanted`: how many it is known to need; None: its condition still holds."""
        what = (
            f"It would loop over {wanted:,} items" if wanted is not None else "Its condition still holds after the last allowed iteration"
        )
        return f"{what}; {_most(self.max_loop_iterations, 'iterations', 'FERMATA_MAX_LOOP_ITERATIONS')}"

    def branches_reason(self, wanted: int) -> str:
        """Say why a fork is refused."""
        return f"{wanted:,} branches cannot be forked; {_most(self.max_fork_branches, 'branches', 'FERMATA_MAX_FORK_BRANCHES')}"

    def depth_reason(self, depth: int) -> str:
        """Say why a run starts no other one."""
        most = _most(self.max_sub_workflow_depth, "runs deep", "FERMATA_MAX_SUB_WORKFLOW_DEPTH")
        return f"This run stands {depth} runs deep in others; {most}; does it start itself?"

    def chain_reason(self) -> str:
        """Say why a run is not started by another one."""
        most = _most(self.max_start_chain, "of them", "FERMATA_MAX_START_CHAIN")
        return f"Too many runs have started each other, each within a minute; {most}; does a run start itself?"


def _most(limit: int, unit: str, setting: str) -> str:
    return f"the most is {limit:,} {unit} (setting {setting})"


def beyond_limits(definition: WorkflowDefinition, limits: Limits) -> Iterable[Violation]:
    """Yield what a definition already shows to be too much: a static fork with too many branches."""
    for task, path in located_tasks(definition.tasks):
        if len(task.fork_tasks) > limits.max_fork_branches:
            message = f"FORK_JOIN {task.task_reference_name}: {limits.branches_reason(len(task.fork_tasks))}"
            yield Violation(f"{path}.forkTasks", message)
