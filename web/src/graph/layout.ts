// Where everything stands: dagre places the branches of each split, sequences are stacked, and boxes are laid out from the inside. Pure.
// One small graph per split rather than one of all: a thousand tasks take a tenth of the time, and stay in the definition's order.
import { Graph, layout } from "@dagrejs/dagre";
import { END, START } from "./flow.ts";
import type { Branch, Item, Loop, Sequence, Split } from "./shape.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `port`: the x at which edges come and go. */
export interface Place extends Box {
  readonly port: number;
}

export interface Placed {
  /** Nodes, groups and points by id; the places that empty branches keep, by the branch's id. Top left corners. */
  readonly places: ReadonlyMap<string, Place>;
  /** Boxes around loops and opened groups, by the node's or group's id. */
  readonly frames: ReadonlyMap<string, Place>;
  readonly width: number;
  readonly height: number;
}

export const GAP = 46;
const BETWEEN = 28;
const PAD = 18;
const POINT = 8;
const ENDS = 16;
/** A head of a box: the loop's node, or what closes a group. */
export const HEAD = 40;

/** Something placed, with its parts at places relative to its own corner; a run enters on top at `enter`, leaves below at `leave`. */
interface Block {
  readonly width: number;
  readonly height: number;
  readonly enter: number;
  readonly leave: number;
  readonly id?: string;
  readonly frame?: string;
  readonly parts?: readonly { readonly block: Block; readonly x: number; readonly y: number }[];
}

export function place(items: Sequence, size: { width: number; height: number }, open: ReadonlySet<string>): Placed {
  const placing = new Placing(size, open);
  const ends = (id: string): Block => ({ id, width: ENDS, height: ENDS, enter: ENDS / 2, leave: ENDS / 2 });
  const whole = stack([ends(START), ...items.map((item) => placing.item(item)), ends(END)]);
  const places = new Map<string, Place>();
  const frames = new Map<string, Place>();
  settle(whole, PAD, PAD, places, frames);
  return { places, frames, width: whole.width + 2 * PAD, height: whole.height + 2 * PAD };
}

class Placing {
  /** What dagre said, by the sizes it was asked about: splits of one form are many. */
  private readonly fans = new Map<string, readonly { x: number; y: number }[]>();

  constructor(
    private readonly size: { readonly width: number; readonly height: number },
    private readonly open: ReadonlySet<string>,
  ) {}

  item(item: Item): Block {
    switch (item.is) {
      case "leaf":
        return this.node(item.node.id);
      case "loop":
        return this.loop(item);
      case "split":
        return item.group ? this.group(item, item.group) : this.split(item);
    }
  }

  private node(id: string): Block {
    const { width, height } = this.size;
    return { id, width, height, enter: width / 2, leave: width / 2 };
  }

  private sequence(items: Sequence): Block {
    return stack(items.map((item) => this.item(item)));
  }

  private loop({ node, body }: Loop): Block {
    return framed(node.id, this.size.height, Math.max(this.size.width, 200), this.sequence(body));
  }

  private group({ node, branches, meet }: Split, group: string): Block {
    const middle = this.open.has(group) ? framed(group, HEAD, 220, this.grid(branches)) : this.node(group);
    return stack([this.node(node.id), middle, meet.node ? this.node(meet.id) : point(meet.id)]);
  }

  /** In rows, about as wide as high: a thousand branches side by side would be a line. */
  private grid(branches: readonly Branch[]): Block {
    const cells = branches.map((branch) => this.branch(branch));
    const width = Math.max(...cells.map((cell) => cell.width));
    const high = cells.reduce((sum, cell) => sum + cell.height, 0) / cells.length;
    const columns = Math.max(3, Math.round(Math.sqrt((cells.length * (high + GAP) * 1.6) / (width + BETWEEN))));
    const parts: { block: Block; x: number; y: number }[] = [];
    let y = 0;
    for (let first = 0; first < cells.length; first += columns) {
      const row = cells.slice(first, first + columns);
      row.forEach((block, column) => parts.push({ block, x: column * (width + BETWEEN), y: y + GAP / 2 }));
      y += Math.max(...row.map((cell) => cell.height)) + GAP / 2;
    }
    const whole = Math.min(columns, cells.length) * (width + BETWEEN) - BETWEEN;
    return { width: whole, height: y, enter: whole / 2, leave: whole / 2, parts };
  }

  private branch({ id, items, value }: Branch): Block {
    if (items.length > 0) return this.sequence(items);
    const width = value === undefined ? 40 : Math.min(160, 40 + (value ?? "default").length * 7);
    return { id, width, height: 1, enter: width / 2, leave: width / 2 };
  }

  private split({ node, branches, meet }: Split): Block {
    const top = this.node(node.id);
    const bottom = meet.node ? this.node(meet.id) : point(meet.id);
    if (branches.length === 0) return stack([top, bottom]);
    return this.fan([top, ...branches.map((branch) => this.branch(branch)), bottom]);
  }

  /** The first leads to all between, and these to the last. */
  private fan(blocks: readonly Block[]): Block {
    const key = blocks.map(({ width, height }) => `${width}x${height}`).join();
    const found = this.fans.get(key) ?? corners(blocks);
    this.fans.set(key, found);
    const parts = blocks.map((block, index) => ({ block, ...found[index]! }));
    const width = Math.max(...parts.map(({ block, x }) => x + block.width));
    const height = Math.max(...parts.map(({ block, y }) => y + block.height));
    const [first, last] = [parts[0]!, parts.at(-1)!];
    return { width, height, enter: first.x + first.block.enter, leave: last.x + last.block.leave, parts };
  }
}

/** Top left corners, by block. */
function corners(blocks: readonly Block[]): readonly { x: number; y: number }[] {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: BETWEEN, ranksep: GAP, rankalign: "top" });
  graph.setDefaultEdgeLabel(() => ({}));
  const last = blocks.length - 1;
  blocks.forEach(({ width, height }, index) => graph.setNode(String(index), { width, height }));
  for (let index = 1; index < last; index += 1) {
    graph.setEdge("0", String(index));
    graph.setEdge(String(index), String(last));
  }
  layout(graph, { disableOptimalOrderHeuristic: true }); // no two edges cross, and branches keep the definition's order
  const placed = blocks.map(({ width, height }, index) => {
    const { x, y } = graph.node(String(index)) as { x: number; y: number };
    return { x: x - width / 2, y: y - height / 2 };
  });
  const left = Math.min(...placed.map(({ x }) => x));
  return placed.map(({ x, y }) => ({ x: x - left, y }));
}

/** One below the other, so that where one is left the next is entered. */
function stack(blocks: readonly Block[]): Block {
  if (blocks.length === 0) return { width: 0, height: 0, enter: 0, leave: 0 };
  const parts: { block: Block; x: number; y: number }[] = [];
  let axis = 0;
  let y = 0;
  for (const block of blocks) {
    parts.push({ block, x: axis - block.enter, y });
    axis += block.leave - block.enter;
    y += block.height + GAP;
  }
  const left = Math.min(...parts.map(({ x }) => x));
  const width = Math.max(...parts.map(({ block, x }) => x + block.width)) - left;
  return { width, height: y - GAP, enter: -left, leave: axis - left, parts: parts.map((part) => ({ ...part, x: part.x - left })) };
}

function framed(id: string, head: number, least: number, inside: Block): Block {
  const width = Math.max(least, inside.width) + 2 * PAD;
  const enter = inside.width > 0 ? PAD + (width - 2 * PAD - inside.width) / 2 + inside.enter : width / 2;
  const handle = { id, width: width - 2 * PAD, height: head, enter: enter - PAD, leave: enter - PAD };
  const below = { block: inside, x: (width - inside.width) / 2, y: PAD + head + (inside.height > 0 ? GAP : 0) };
  return { frame: id, width, height: below.y + inside.height + PAD, enter, leave: enter, parts: [{ block: handle, x: PAD, y: PAD }, below] };
}

function point(id: string): Block {
  return { id, width: POINT, height: POINT, enter: POINT / 2, leave: POINT / 2 };
}

function settle(block: Block, x: number, y: number, places: Map<string, Place>, frames: Map<string, Place>): void {
  const box = { x, y, width: block.width, height: block.height, port: x + block.enter };
  if (block.id !== undefined) places.set(block.id, box);
  if (block.frame !== undefined) frames.set(block.frame, box);
  for (const part of block.parts ?? []) settle(part.block, x + part.x, y + part.y, places, frames);
}
