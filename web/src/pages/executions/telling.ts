// A line of the list in words. Pure.
import type { Waiting } from "../../conductor/types.ts";
import { count } from "../../words/sizes.ts";

/** `37 of 1,000`. Empty when nothing is polled. */
export function pollsOf({ pollCount, maxPollCount }: Waiting): string {
  if (pollCount === undefined) return "";
  const made = pollCount.toLocaleString("en-US");
  return maxPollCount === undefined ? made : `${made} of ${maxPollCount.toLocaleString("en-US")}`;
}

/** `exports.example`, `a worker for resize`, `a person, at approve, and 2 other tasks`. Empty when nothing is known. */
export function waitsFor(waiting: Waiting): string {
  const { host, taskReferenceName, openTasks, status } = waiting;
  if (status === "PAUSED") return "somebody who resumes it";
  const what = host ?? partyOf(waiting) ?? taskReferenceName;
  const others = what ? (openTasks ?? 1) - 1 : (openTasks ?? 0);
  return [what, others > 0 && count(others, what ? "other task" : "task")].filter(Boolean).join(", and ");
}

/** By the last of what the server tells: that of a task. */
function partyOf({ waitingFor, taskReferenceName, taskType }: Waiting): string | undefined {
  const told: unknown = Array.isArray(waitingFor) ? waitingFor.at(-1) : undefined;
  const { for: party, name } = (told ?? {}) as { for?: unknown; name?: unknown };
  const at = taskReferenceName ? `, at ${taskReferenceName}` : "";
  switch (party) {
    case "WORKER":
      return `a worker for ${typeof name === "string" ? name : (taskReferenceName ?? "it")}`;
    case "PERSON":
      return `a person${at}`;
    case "SIGNAL":
    case "UPDATE":
      return `a signal${at}`;
    case "TIME":
      return `its time${at}`;
    case "CHILD":
      return `another run${at}`;
    default:
      return taskReferenceName && taskType ? `${taskReferenceName} (${taskType})` : undefined;
  }
}
