// The tasks of a run, found by the names that the definition has for them. Pure.
import type { Task, WorkflowDef, WorkflowTask } from "../conductor/types.ts";
import { branchLists, cases, list, names, number, text } from "./reading.ts";
import type { Forked } from "./shape.ts";

/** The iteration to show of a loop, by its reference name; the last where none is chosen. */
export type Chosen = ReadonlyMap<string, number>;

export class Recorded {
  /** By reference name, then by iteration (0 outside of loops): attempts, the latest last. */
  private readonly found = new Map<string, Map<number, Task[]>>();
  private readonly count = new Map<string, number>();
  private readonly known: ReadonlySet<string>;
  private readonly inOrder: readonly Task[];

  constructor(definition: WorkflowDef, tasks: readonly Task[]) {
    this.inOrder = [...tasks].sort((one, other) => number(one.seq) - number(other.seq));
    const loops = new Map<string, string>();
    this.known = new Set(stepsOf(list(definition?.tasks), loops));
    for (const task of this.inOrder) if (task.workflowTask?.type === "DO_WHILE") [...stepsOf([task.workflowTask], loops)];
    for (const task of this.inOrder) this.put(task, loops.get(nameOf(task)));
    for (const iterations of this.found.values()) for (const attempts of iterations.values()) attempts.sort(byAttempt);
  }

  /** `iteration` null: the last there is. */
  attempts(reference: string, iteration: number | null): readonly Task[] {
    const found = this.found.get(reference);
    if (!found) return [];
    return found.get(iteration ?? Math.max(...found.keys())) ?? [];
  }

  /** How often a loop has begun its body. */
  iterations(loop: string): number {
    const said = this.attempts(loop, null).at(-1);
    return Math.max(this.count.get(loop) ?? 0, number(said?.outputData?.["iteration"]), number(said?.iteration));
  }

  /** The iteration of a loop that is looked at; null outside of loops. */
  shown(loop: string | null, chosen: Chosen): number | null {
    if (loop === null) return null;
    const last = this.iterations(loop);
    return Math.min(chosen.get(loop) ?? last, last);
  }

  /** What dynamic forks have added, as `shapeOf` asks for it. */
  forked(chosen: Chosen): Forked {
    return (reference, loop) => {
      const fork = this.attempts(reference, this.shown(loop, chosen)).at(-1);
      return fork && this.added(fork);
    };
  }

  private put(task: Task, loop: string | undefined): void {
    const name = nameOf(task);
    const iteration = number(task.iteration);
    const iterations = this.found.get(name) ?? new Map<number, Task[]>();
    this.found.set(name, iterations);
    iterations.set(iteration, [...(iterations.get(iteration) ?? []), task]);
    if (loop !== undefined) this.count.set(loop, Math.max(this.count.get(loop) ?? 0, iteration));
  }

  private added(fork: Task): readonly WorkflowTask[] {
    const suffix = number(fork.iteration) > 0 ? `__${fork.iteration}` : "";
    const bare = (name: string) => (suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name);
    const said = names(fork.inputData?.["forkedTasks"]).map(bare);
    if (said.length > 0) return said.map((name) => this.step(name, number(fork.iteration)));
    return this.behind(fork);
  }

  private step(name: string, iteration: number): WorkflowTask {
    return this.attempts(name, iteration).at(-1)?.workflowTask ?? { name, taskReferenceName: name, type: "SIMPLE" };
  }

  /** Where the list of names is left out for its size: what stands between a fork and its JOIN and is not the definition's. */
  private behind(fork: Task): readonly WorkflowTask[] {
    const begin = this.inOrder.indexOf(fork);
    const added = new Map<string, WorkflowTask>();
    const nested = new Set<string>();
    for (const task of this.inOrder.slice(begin + 1)) {
      const name = nameOf(task);
      if (task.taskType === "JOIN" && this.known.has(name)) break;
      const own = !this.known.has(name) && number(task.iteration) === number(fork.iteration) && !nested.has(name);
      if (!own) continue;
      const step = task.workflowTask ?? { name, taskReferenceName: name, type: text(task.taskType) };
      added.set(name, step);
      for (const inner of stepsOf([step], new Map())) if (inner !== name) nested.add(inner);
    }
    return [...added.values()];
  }
}

/** The name in the definition: without the suffix that an iteration gives. */
function nameOf(task: Task): string {
  const own = text(task.workflowTask?.taskReferenceName);
  if (own) return own;
  const suffix = `__${task.iteration}`;
  const name = text(task.referenceTaskName);
  return number(task.iteration) > 0 && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function byAttempt(one: Task, other: Task): number {
  return number(one.retryCount) - number(other.retryCount) || number(one.seq) - number(other.seq);
}

/** All reference names; on the way it notes which loop each stands in. */
function* stepsOf(tasks: readonly WorkflowTask[], loops: Map<string, string>, loop?: string): Generator<string> {
  for (const task of tasks) {
    const name = text(task.taskReferenceName) || text(task.name);
    yield name;
    if (loop !== undefined) loops.set(name, loop);
    yield* stepsOf(list(task.loopOver), loops, name);
    for (const inside of [...branchLists(task.forkTasks), ...cases(task.decisionCases).map(([, some]) => some), list(task.defaultCase)]) {
      yield* stepsOf(inside, loops, loop);
    }
  }
}
