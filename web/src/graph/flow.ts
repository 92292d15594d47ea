// The edges of a shape, in the order in which a run comes by. Pure.
import { nodesOf } from "./shape.ts";
import type { Branch, Item, Leaf, Loop, Sequence, Split } from "./shape.ts";

export const START = "start";
export const END = "end";

export interface Edge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The case that leads this way; `null` is the default case. */
  readonly value?: string | null;
  /** The empty branch that it passes through: it keeps that branch's place free. */
  readonly through?: string;
  /** `inside`: from a loop's head to its body. `waits`: a JOIN waits for a task elsewhere. */
  readonly kind: "flow" | "inside" | "waits";
}

/** Where something may come from: a node, and which case of it. */
interface Source {
  readonly from: string;
  readonly value?: string | null;
  readonly through?: string;
  readonly kind?: "inside";
}

/** Edges into a node always stand before those out of it. */
export function flowOf(items: Sequence): readonly Edge[] {
  const flow = new Flow(new Map([...nodesOf(items)].map((node) => [node.reference, node.id])));
  flow.lead(flow.walk(items, [{ from: START }]), END);
  return flow.edges;
}

class Flow {
  readonly edges: Edge[] = [];
  constructor(private readonly ids: ReadonlyMap<string, string>) {}

  /** Returns where a run comes out. Nothing when it never does. */
  walk(items: Sequence, sources: readonly Source[]): readonly Source[] {
    let open = sources;
    for (const item of items) {
      this.lead(open, item.node.id);
      open = this.through(item);
    }
    return open;
  }

  lead(sources: readonly Source[], to: string): void {
    for (const { from, value, through, kind } of sources) {
      const named = value === undefined ? {} : { value };
      const passing = through === undefined ? {} : { through };
      this.edges.push({ id: `${from}>${to}>${this.edges.length}`, from, to, kind: kind ?? "flow", ...named, ...passing });
    }
  }

  private through(item: Item): readonly Source[] {
    switch (item.is) {
      case "leaf":
        return this.leaf(item);
      case "loop":
        return this.loop(item);
      case "split":
        return item.group ? this.group(item, item.group) : this.split(item);
    }
  }

  private leaf({ node, waitsFor }: Leaf): readonly Source[] {
    for (const reference of waitsFor) {
      const from = this.ids.get(reference);
      const known = from === undefined || this.edges.some((edge) => edge.from === from && edge.to === node.id);
      if (!known) this.edges.push({ id: `${from}>${node.id}>${this.edges.length}`, from, to: node.id, kind: "waits" });
    }
    return node.kind === "stop" ? [] : [{ from: node.id }];
  }

  private loop({ node, body }: Loop): readonly Source[] {
    this.walk(body, [{ from: node.id, kind: "inside" }]);
    return [{ from: node.id }];
  }

  private split({ node, branches, meet }: Split): readonly Source[] {
    const ends = branches.flatMap((branch) => this.branch(branch, node.id));
    this.lead(meet.node && ends.length === 0 ? [{ from: node.id }] : ends, meet.id);
    return meet.node || ends.length > 0 ? [{ from: meet.id }] : [];
  }

  private branch(branch: Branch, from: string): readonly Source[] {
    const named = branch.value === undefined ? {} : { value: branch.value };
    const ends = this.walk(branch.items, [{ from, ...named, ...(branch.items.length === 0 ? { through: branch.id } : {}) }]);
    return [...branch.early.map((id) => ({ from: id })), ...(branch.joins ? ends : [])];
  }

  private group({ node, branches, meet }: Split, group: string): readonly Source[] {
    this.lead([{ from: node.id }], group);
    for (const branch of branches) this.walk(branch.items, []);
    this.lead([{ from: group }], meet.id);
    return [{ from: meet.id }];
  }
}
