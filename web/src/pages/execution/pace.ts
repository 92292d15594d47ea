// When to look again at a run that is not over. Pure. Milliseconds.
import type { Workflow } from "../../conductor/types.ts";

const FASTEST = 2_000;
const SLOWEST = 30_000;
/** A wake-up that is due takes a moment to be carried out. */
const AFTER = 800;

/**
 * Soon after something is due; while nothing is, the more slowly the longer nothing has moved. null: the run is over.
 * A look at a run that has not moved costs the server one row.
 */
export function pace(run: Workflow, now: number, changed: number): number | null {
  if (run.status !== "RUNNING" && run.status !== "PAUSED") return null;
  const idle = clamp((now - changed) / 5);
  const dues = moments(run);
  const coming = dues.filter((due) => due > now);
  const next = coming.length > 0 ? Math.min(...coming) - now + AFTER : SLOWEST;
  const late = dues.filter((due) => due <= now);
  const overdue = late.length > 0 ? clamp((now - Math.max(...late)) / 3) : SLOWEST;
  return Math.max(FASTEST / 2, Math.min(idle, next, overdue));
}

function moments(run: Workflow): readonly number[] {
  const awaited = (run.waitingFor ?? []).flatMap((thing) => (thing.dueTime ? [thing.dueTime] : []));
  const polls = (run.tasks ?? []).flatMap((task) => (task.nextPollTime ? [task.nextPollTime] : []));
  return [...awaited, ...polls];
}

function clamp(wait: number): number {
  return Math.min(Math.max(wait, FASTEST), SLOWEST);
}
