// A step of a definition by its reference name. Pure.
import type { WorkflowTask } from "../../conductor/types.ts";

/** The step of that reference name, however deep it stands. */
export function stepNamed(steps: readonly WorkflowTask[], reference: string): WorkflowTask | undefined {
  for (const step of steps) {
    if (step.taskReferenceName === reference) return step;
    const inner = [...Object.values(step.decisionCases ?? {}).flat(), ...(step.defaultCase ?? []), ...(step.forkTasks ?? []).flat(), ...(step.loopOver ?? [])];
    const found = stepNamed(inner, reference);
    if (found) return found;
  }
  return undefined;
}
