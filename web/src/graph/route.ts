// The line of an edge: straight down, and aside just above where it goes. Pure.
import type { Edge } from "./flow.ts";
import { GAP } from "./layout.ts";
import type { Box, Placed } from "./layout.ts";

export interface Route {
  /** An SVG path. */
  readonly line: string;
  readonly box: Box;
  /** Where its label stands, centred. */
  readonly label: { readonly x: number; readonly y: number };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Undefined when an end is not to be seen: inside a group that is closed. */
export function routeOf(edge: Edge, { places, frames }: Placed): Route | undefined {
  if (edge.kind === "waits") return beside(edge, places);
  const source = edge.kind === "inside" ? places.get(edge.from) : (frames.get(edge.from) ?? places.get(edge.from));
  const target = frames.get(edge.to) ?? places.get(edge.to);
  if (!source || !target) return undefined;
  const from = { x: source.port, y: source.y + source.height };
  const to = { x: target.port, y: target.y };
  const empty = edge.through === undefined ? undefined : places.get(edge.through);
  const steps: Point[] = empty ? [from, { x: empty.port, y: empty.y }, to] : [from, to];
  const aside = steps[1]!;
  return { line: lineOf(steps), box: around(steps), label: { x: aside.x, y: aside.y - 17 } };
}

function lineOf(steps: readonly Point[]): string {
  let line = `M${at(steps[0]!)}`;
  for (let index = 1; index < steps.length; index += 1) line += leg(steps[index - 1]!, steps[index]!);
  return line;
}

function leg(from: Point, to: Point): string {
  if (Math.abs(from.x - to.x) < 1) return `L${at(to)}`;
  const turn = Math.max(from.y, to.y - GAP);
  const middle = (turn + to.y) / 2;
  return `V${round(turn)}C${at({ x: from.x, y: middle })} ${at({ x: to.x, y: middle })} ${at(to)}`;
}

/** What waits for a task elsewhere: from side to side, past what stands between. */
function beside(edge: Edge, places: Placed["places"]): Route | undefined {
  const [source, target] = [places.get(edge.from), places.get(edge.to)];
  if (!source || !target) return undefined;
  const from = { x: source.x + source.width, y: source.y + source.height / 2 };
  const to = { x: target.x + target.width, y: target.y + target.height / 2 };
  const out = Math.max(from.x, to.x) + Math.min(140, 40 + Math.abs(from.y - to.y) / 8);
  return { line: `M${at(from)}C${at({ x: out, y: from.y })} ${at({ x: out, y: to.y })} ${at(to)}`, box: around([from, { x: out, y: from.y }, to]), label: to };
}

function around(steps: readonly Point[]): Box {
  const xs = steps.map(({ x }) => x);
  const ys = steps.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x: x - 80, y: y - 70, width: Math.max(...xs) - x + 160, height: Math.max(...ys) - y + 140 };
}

const round = (value: number) => Math.round(value * 10) / 10;
const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
