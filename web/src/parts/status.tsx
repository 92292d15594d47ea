// A status as a mark: a word, with a shape and a colour that only repeat it.
import type { TaskStatus, WorkflowStatus } from "../conductor/types.ts";

type Tone = "waits" | "done" | "failed" | "held" | "gone";

const TONES: Readonly<Record<WorkflowStatus | TaskStatus, Tone>> = {
  RUNNING: "waits",
  SCHEDULED: "waits",
  IN_PROGRESS: "waits",
  PAUSED: "held",
  COMPLETED: "done",
  COMPLETED_WITH_ERRORS: "held",
  FAILED: "failed",
  FAILED_WITH_TERMINAL_ERROR: "failed",
  TIMED_OUT: "failed",
  TERMINATED: "gone",
  CANCELED: "gone",
  SKIPPED: "gone",
};

/** The group of a status: what colour says. Also for a graph's nodes. A word from the outside that is no status counts as `gone`. */
export function toneOf(status: string): Tone {
  return (TONES as Readonly<Record<string, Tone>>)[status] ?? "gone";
}

export function StatusMark({ status }: { status: string }) {
  return <span class={`status status-${toneOf(status)}`}>{status.replaceAll("_", " ").toLowerCase()}</span>;
}
