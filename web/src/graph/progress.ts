// How far a run has come in a shape: the state of each node, and which edges it took. Pure; tasks in, facts out.
import type { Task } from "../conductor/types.ts";
import { toneOf } from "../parts/status.tsx";
import { END, START } from "./flow.ts";
import type { Edge } from "./flow.ts";
import { number, text } from "./reading.ts";
import type { Chosen, Recorded } from "./recorded.ts";
import { nodesOf } from "./shape.ts";
import type { Branch, Item, Node, Sequence, Split } from "./shape.ts";

export interface NodeState {
  /** null: not reached. */
  readonly status: string | null;
  /** The latest attempt. */
  readonly task?: Task;
  readonly attempts: number;
  readonly polls: number;
  /** Of a loop: how often it has run its body, and which time is shown. */
  readonly iterations: number;
  readonly iteration: number;
}

export interface Tally {
  readonly branches: number;
  readonly done: number;
  readonly failed: number;
  readonly open: number;
  /** Of a choice: the case that was taken; null the default. */
  readonly taken?: string | null;
}

export interface Progress {
  readonly states: ReadonlyMap<string, NodeState>;
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly taken: ReadonlySet<string>;
}

const PASSED: ReadonlySet<string> = new Set(["COMPLETED", "COMPLETED_WITH_ERRORS", "SKIPPED"]);
const NOTHING: NodeState = { status: null, attempts: 0, polls: 0, iterations: 0, iteration: 0 };

export function progressOf(items: Sequence, edges: readonly Edge[], recorded: Recorded, chosen: Chosen): Progress {
  const states = new Map<string, NodeState>();
  for (const node of nodesOf(items)) states.set(node.id, stateOf(node, recorded, chosen));
  const tallies = new Map<string, Tally>();
  for (const split of splitsOf(items)) if (split.group) tallies.set(split.group, tallyOf(split, states));
  return { states, tallies, taken: takenOf(items, edges, states, tallies) };
}

function stateOf(node: Node, recorded: Recorded, chosen: Chosen): NodeState {
  if (node.kind === "later") return NOTHING;
  const attempts = recorded.attempts(node.reference, recorded.shown(node.loop, chosen));
  const task = attempts.at(-1);
  const iterations = node.kind === "loop" ? recorded.iterations(node.reference) : 0;
  if (!task) return { ...NOTHING, iterations };
  return {
    status: text(task.status) || "SCHEDULED",
    task,
    attempts: attempts.length,
    polls: number(task.pollCount),
    iterations,
    iteration: iterations > 0 ? recorded.shown(node.reference, chosen)! : 0,
  };
}

function* splitsOf(items: Sequence): Generator<Split> {
  for (const item of items) {
    if (item.is === "split") yield item;
    for (const inside of insides(item)) yield* splitsOf(inside);
  }
}

function insides(item: Item): readonly Sequence[] {
  if (item.is === "loop") return [item.body];
  return item.is === "split" ? item.branches.map((branch) => branch.items) : [];
}

function tallyOf(split: Split, states: ReadonlyMap<string, NodeState>): Tally {
  const tally = { branches: split.branches.length, done: 0, failed: 0, open: 0 };
  for (const branch of split.branches) {
    const standing = standingOf(branch, states);
    if (standing) tally[standing] += 1;
  }
  if (split.node.kind !== "choice") return tally;
  const chosen = chosenCase(states.get(split.node.id)?.task, split.branches);
  return chosen === undefined ? tally : { ...tally, taken: chosen };
}

function standingOf(branch: Branch, states: ReadonlyMap<string, NodeState>): "done" | "failed" | "open" | null {
  const statuses = [...nodesOf(branch.items)].map((node) => states.get(node.id)?.status ?? null);
  const reached = statuses.filter((status) => status !== null);
  if (reached.length === 0) return null;
  if (reached.some((status) => toneOf(status) === "failed")) return "failed";
  const last = branch.items.at(-1)!;
  const end = last.is === "split" && last.meet.node ? last.meet.node : last.node;
  const over = toneOf(states.get(end.id)?.status ?? "RUNNING") !== "waits";
  return over && reached.every((status) => toneOf(status) !== "waits") ? "done" : "open";
}

/** Undefined while nobody knows. Text that is no case's name leads to the default. */
function chosenCase(task: Task | undefined, branches: readonly { readonly value?: string | null }[]): string | null | undefined {
  const output = task?.outputData;
  const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
  const said = first(output?.["selectedCase"]) ?? first(output?.["evaluationResult"]) ?? first(output?.["caseOutput"]) ?? task?.inputData?.["case"];
  if (typeof said !== "string") return undefined;
  return branches.some((branch) => branch.value === said) ? said : null;
}

function takenOf(items: Sequence, edges: readonly Edge[], states: ReadonlyMap<string, NodeState>, tallies: ReadonlyMap<string, Tally>): ReadonlySet<string> {
  const way = new Way(items, states, tallies);
  return new Set(edges.filter((edge) => way.took(edge)).map((edge) => edge.id));
}

/** Goes along the edges in their order and remembers where it has come to. */
class Way {
  private readonly came = new Set<string>();
  private readonly splits = new Map<string, Split>();
  private readonly joins = new Set<string>();

  constructor(
    items: Sequence,
    private readonly states: ReadonlyMap<string, NodeState>,
    private readonly tallies: ReadonlyMap<string, Tally>,
  ) {
    for (const split of splitsOf(items)) this.splits.set(split.node.id, split);
    for (const node of nodesOf(items)) if (node.kind === "join") this.joins.add(node.id);
    if ([...states.values()].some((state) => state.status !== null)) this.came.add(START);
  }

  took(edge: Edge): boolean {
    const took = this.rightCase(edge) && this.arrived(edge);
    if (took && !this.states.has(edge.to)) this.came.add(edge.to);
    return took;
  }

  private arrived({ from, to }: Edge): boolean {
    if (this.joins.has(to)) return this.reached(to) && this.passed(from);
    if (this.states.has(to)) return this.reached(to) && (this.reached(from) || !this.states.has(from));
    const tally = this.tallies.get(to);
    return tally ? tally.done + tally.failed + tally.open > 0 : this.passed(from) && (to !== END || from !== START);
  }

  private rightCase({ from, to, value }: Edge): boolean {
    if (value === undefined) return true;
    const chosen = chosenCase(this.states.get(from)?.task, this.splits.get(from)?.branches ?? []);
    return chosen === undefined ? this.states.has(to) : chosen === value;
  }

  private reached(id: string): boolean {
    return this.came.has(id) || (this.states.get(id)?.status ?? null) !== null;
  }

  private passed(id: string): boolean {
    const tally = this.tallies.get(id);
    return tally ? tally.done > 0 : this.came.has(id) || PASSED.has(this.states.get(id)?.status ?? "");
  }
}
