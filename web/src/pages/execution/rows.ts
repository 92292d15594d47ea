// The tasks of a run as rows: the attempts of one reference name together, found and filtered by what a person types. Pure.
import type { Task } from "../../conductor/types.ts";

export interface Row {
  readonly reference: string;
  /** The newest attempt: what the row shows. */
  readonly latest: Task;
  /** Oldest first. */
  readonly attempts: readonly Task[];
}

/** In the order in which the run came to them. */
export function rowsOf(tasks: readonly Task[]): readonly Row[] {
  const groups = new Map<string, Task[]>();
  for (const task of tasks) {
    const known = groups.get(task.referenceTaskName);
    if (known) known.push(task);
    else groups.set(task.referenceTaskName, [task]);
  }
  return [...groups].map(([reference, group]) => {
    const attempts = group.length > 1 ? group.toSorted((one, other) => order(one) - order(other)) : group;
    return { reference, latest: attempts.at(-1)!, attempts };
  });
}

function order(task: Task): number {
  return task.seq ?? task.scheduledTime ?? task.retryCount ?? 0;
}

/** `text` is looked for in reference, name and type; `status` is one of Conductor's words, or none. */
export function matching(rows: readonly Row[], text: string, status: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ reference, latest }) => {
    if (status && latest.status !== status) return false;
    return !wanted || [reference, latest.taskDefName ?? "", latest.taskType].some((word) => word.toLowerCase().includes(wanted));
  });
}

/** What an address names: a task's id, a reference name, or a reference name in a loop without its iteration (then the newest one). */
export function found(rows: readonly Row[], wanted: string): { row: Row; task: Task } | undefined {
  if (!wanted) return undefined;
  for (const row of rows) {
    const task = row.reference === wanted ? row.latest : row.attempts.find(({ taskId }) => taskId === wanted);
    if (task) return { row, task };
  }
  const looped = rows.findLast(({ reference, latest }) => (latest.iteration ?? 0) > 0 && reference === `${wanted}__${latest.iteration}`);
  return looped && { row: looped, task: looped.latest };
}

const POLLED: ReadonlySet<string> = new Set(["HTTP_POLL", "AIRPIPE_HTTP"]);

/** Whether a task has a ledger: it asks a vendor again and again. */
export function polls({ taskType }: Task): boolean {
  return POLLED.has(taskType);
}

export function pollers(rows: readonly Row[]): readonly Task[] {
  return rows.flatMap(({ attempts }) => attempts.filter(polls));
}
