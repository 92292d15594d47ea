// Which operations one task of a run takes. Pure; the server has the last word.
import type { Task, WorkflowStatus } from "../../conductor/types.ts";

export type TaskOperation = "poll-now" | "complete" | "rerun" | "skip";

const POLLED: ReadonlySet<string> = new Set(["HTTP_POLL", "AIRPIPE_HTTP", "AIRPIPE_STATE"]);
/** What somebody outside ends: people, and waits that need not be waited for. */
const ENDED_BY_HAND: ReadonlySet<string> = new Set(["HUMAN", "WAIT", "SIMPLE"]);
const OPEN: ReadonlySet<string> = new Set(["SCHEDULED", "IN_PROGRESS"]);

/** `task`: the latest attempt, absent while the run has not come to it. */
export function taskOperations(workflow: WorkflowStatus, task: Task | undefined): readonly TaskOperation[] {
  const goesOn = workflow === "RUNNING" || workflow === "PAUSED";
  if (!task) return goesOn ? ["skip"] : [];
  if (!goesOn) return ["rerun"];
  if (!OPEN.has(task.status)) return [];
  if (POLLED.has(task.taskType)) return workflow === "RUNNING" && task.status === "IN_PROGRESS" ? ["poll-now"] : [];
  return ENDED_BY_HAND.has(kind(task)) ? ["complete"] : [];
}

/** A worker's task has the name of its definition as its type. */
function kind(task: Task): string {
  return task.workflowTask?.type ?? task.taskType;
}
