// What a definition is made of, as a tree of sequences: nodes, loops, and splits whose branches meet again. Pure; knows no run and no place on a page.
import type { WorkflowDef, WorkflowTask } from "../conductor/types.ts";
import { branchLists, cases, list, names, text } from "./reading.ts";

export type Kind = "task" | "choice" | "fork" | "join" | "loop" | "child" | "stop" | "later";

export interface Node {
  /** Unique in the shape, also where a definition uses a reference name twice. */
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly type: string;
  readonly kind: Kind;
  /** The reference name of the loop it stands in: the innermost. */
  readonly loop: string | null;
}

export interface Branch {
  readonly id: string;
  /** A case's value; `null` is the default case; undefined where branches have no names. */
  readonly value?: string | null;
  readonly items: Sequence;
  /** Does its end lead to where the branches meet? */
  readonly joins: boolean;
  /** Nodes before its end that are waited for all the same, by id. */
  readonly early: readonly string[];
}

export interface Leaf {
  readonly is: "leaf";
  readonly node: Node;
  /** Reference names a JOIN waits for that do not lead to it anyway. */
  readonly waitsFor: readonly string[];
}
export interface Loop {
  readonly is: "loop";
  readonly node: Node;
  readonly body: Sequence;
}
export interface Split {
  readonly is: "split";
  readonly node: Node;
  readonly branches: readonly Branch[];
  /** Set when there are so many branches that they are drawn as one node, opened on demand: that node's id. */
  readonly group: string | null;
  /** Where the branches meet: a JOIN, or (`node` is null) a mere point. */
  readonly meet: { readonly id: string; readonly node: Node | null };
}
export type Item = Leaf | Loop | Split;
export type Sequence = readonly Item[];

/** The tasks that a dynamic fork has added to the run; undefined while nobody knows. By the fork's reference name and its loop's. */
export type Forked = (reference: string, loop: string | null) => readonly WorkflowTask[] | undefined;

/** More branches than this are drawn as one node. */
export const MANY = 12;
/** Deeper nesting than this is cut: a node stands for what is below it. */
const DEEP = 40;

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["SWITCH", "choice"],
  ["DECISION", "choice"],
  ["FORK_JOIN", "fork"],
  ["FORK", "fork"],
  ["FORK_JOIN_DYNAMIC", "fork"],
  ["JOIN", "join"],
  ["EXCLUSIVE_JOIN", "join"],
  ["DO_WHILE", "loop"],
  ["SUB_WORKFLOW", "child"],
  ["START_WORKFLOW", "child"],
  ["TERMINATE", "stop"],
]);

/** Whatever stands in the definition, this returns a shape. */
export function shapeOf(definition: WorkflowDef, forked: Forked = () => undefined): Sequence {
  return new Builder(forked).sequence(list(definition?.tasks), null, 0);
}

/** Every node in reading order: branches one after the other, then where they meet. */
export function* nodesOf(items: Sequence): Generator<Node> {
  for (const item of items) {
    yield item.node;
    if (item.is === "loop") yield* nodesOf(item.body);
    if (item.is === "split") {
      for (const branch of item.branches) yield* nodesOf(branch.items);
      if (item.meet.node) yield item.meet.node;
    }
  }
}

class Builder {
  private readonly taken = new Set<string>();
  constructor(private readonly forked: Forked) {}

  sequence(tasks: readonly WorkflowTask[], loop: string | null, depth: number): Sequence {
    const items: Item[] = [];
    for (let index = 0; index < tasks.length; index += 1) {
      const node = this.node(tasks[index]!, loop);
      const next = tasks[index + 1];
      const splits = depth < DEEP && (node.kind === "choice" || node.kind === "fork");
      if (splits) {
        const join = next && joins(node, next) ? next : undefined;
        items.push(this.split(node, tasks[index]!, join, depth));
        if (join) index += 1;
      } else items.push(this.single(node, tasks[index]!, depth));
    }
    return items;
  }

  private single(node: Node, task: WorkflowTask, depth: number): Item {
    if (node.kind === "loop" && depth < DEEP) return { is: "loop", node, body: this.sequence(list(task.loopOver), node.reference, depth + 1) };
    return { is: "leaf", node, waitsFor: node.kind === "join" ? names(task.joinOn) : [] };
  }

  private split(node: Node, task: WorkflowTask, join: WorkflowTask | undefined, depth: number): Split {
    const awaited = join && node.type !== "FORK_JOIN_DYNAMIC" && node.kind === "fork" ? new Set(names(join.joinOn)) : null;
    const branches = this.parts(node, task).map(({ value, tasks, later }, index) => {
      const items = later ? [later] : this.sequence(tasks, node.loop, depth + 1);
      const id = `${node.id}/${index}`;
      return { id, items, ...(value === undefined ? {} : { value }), ...waited(items, awaited) };
    });
    const meeting = join ? this.node(join, node.loop) : null;
    return {
      is: "split",
      node,
      branches,
      group: branches.length > MANY ? `group:${node.id}` : null,
      meet: { id: meeting?.id ?? `meet:${node.id}`, node: meeting },
    };
  }

  private parts(node: Node, task: WorkflowTask): readonly Part[] {
    if (node.kind === "choice") return choices(task);
    if (node.type !== "FORK_JOIN_DYNAMIC") return branchLists(task.forkTasks).map((tasks) => ({ tasks }));
    const added = this.forked(node.reference, node.loop);
    if (added) return added.map((one) => ({ tasks: [one] }));
    const later: Node = { id: `later:${node.id}`, reference: "", name: "Decided at run time", type: "any number of tasks", kind: "later", loop: node.loop };
    return [{ tasks: [], later: { is: "leaf", node: later, waitsFor: [] } }];
  }

  private node(task: WorkflowTask, loop: string | null): Node {
    const type = text(task.type) || "SIMPLE";
    const reference = text(task.taskReferenceName) || text(task.name) || "no name";
    return { id: this.unique(`task:${reference}`), reference, name: text(task.name), type, kind: KINDS.get(type) ?? "task", loop };
  }

  private unique(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.taken.has(id); number += 1) id = `${wanted}#${number}`;
    this.taken.add(id);
    return id;
  }
}

interface Part {
  readonly value?: string | null;
  readonly tasks: readonly WorkflowTask[];
  readonly later?: Leaf;
}

function choices(task: WorkflowTask): readonly Part[] {
  const named: Part[] = cases(task.decisionCases).map(([value, tasks]) => ({ value, tasks }));
  return [...named, { value: null, tasks: list(task.defaultCase) }];
}

/** A JOIN right behind belongs to its fork, an EXCLUSIVE_JOIN to either. */
function joins(node: Node, next: WorkflowTask): boolean {
  return next.type === "EXCLUSIVE_JOIN" || (next.type === "JOIN" && node.kind === "fork");
}

function waited(items: Sequence, awaited: ReadonlySet<string> | null): { joins: boolean; early: string[] } {
  const last = items.at(-1);
  if (!awaited || !last) return { joins: true, early: [] };
  const joinsAtEnd = [...nodesOf([last])].some((node) => awaited.has(node.reference));
  const before = [...nodesOf(items.slice(0, -1))].filter((node) => awaited.has(node.reference));
  return { joins: joinsAtEnd, early: before.map((node) => node.id) };
}
