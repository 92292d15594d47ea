// What can be read off a definition without drawing it. Pure.
import type { WorkflowTask } from "../../conductor/types.ts";

/** Every step, whatever it stands in, in the order of the text. */
export function steps(tasks: readonly WorkflowTask[] | undefined): readonly WorkflowTask[] {
  return (tasks ?? []).flatMap((task) => [
    task,
    ...steps(Object.values(task.decisionCases ?? {}).flat()),
    ...steps(task.defaultCase),
    ...steps((task.forkTasks ?? []).flat()),
    ...steps(task.loopOver),
  ]);
}
