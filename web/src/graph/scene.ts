// All that a drawing of a graph needs, put together: shape, edges, places, progress. Pure.
import type { Task, WorkflowDef } from "../conductor/types.ts";
import { toneOf } from "../parts/status.tsx";
import { flowOf } from "./flow.ts";
import type { Edge } from "./flow.ts";
import type { Box, Placed, place } from "./layout.ts";
import type { Progress } from "./progress.ts";
import { progressOf } from "./progress.ts";
import type { Chosen } from "./recorded.ts";
import { Recorded } from "./recorded.ts";
import { routeOf } from "./route.ts";
import type { Route } from "./route.ts";
import { nodesOf, shapeOf } from "./shape.ts";
import type { Node, Sequence, Split } from "./shape.ts";

/** What a definition and a run are, wherever it stands. */
export interface Structure {
  readonly shape: Sequence;
  readonly edges: readonly Edge[];
  readonly nodes: ReadonlyMap<string, Node>;
  readonly groups: ReadonlyMap<string, Split>;
  /** Nodes and groups in reading order. */
  readonly order: readonly string[];
  /** Undefined without a run. */
  readonly progress: Progress | undefined;
}

export interface Scene extends Structure {
  readonly placed: Placed;
  readonly routes: ReadonlyMap<string, Route>;
}

export const TALL = 74;
export const SHORT = 54;
export const WIDE = 216;

export function structureOf(definition: WorkflowDef, tasks: readonly Task[] | undefined, chosen: Chosen): Structure {
  const recorded = new Recorded(definition, tasks ?? []);
  const shape = shapeOf(definition, tasks && recorded.forked(chosen));
  const edges = flowOf(shape);
  const groups = new Map([...splitsIn(shape)].map((split) => [split.group!, split]));
  return {
    shape,
    edges,
    groups,
    nodes: new Map([...nodesOf(shape)].map((node) => [node.id, node])),
    order: [...orderOf(shape)],
    progress: tasks && progressOf(shape, edges, recorded, chosen),
  };
}

export function sceneOf(structure: Structure, placed: Placed): Scene {
  const routes = new Map<string, Route>();
  for (const edge of structure.edges) {
    const route = routeOf(edge, placed);
    if (route) routes.set(edge.id, route);
  }
  return { ...structure, placed, routes };
}

/** What has to be placed anew is what differs here. */
export function placed(structure: Structure, open: ReadonlySet<string>, placing: typeof place): Placed {
  return placing(structure.shape, { width: WIDE, height: structure.progress ? TALL : SHORT }, open);
}

/** Where somebody wants to look first: what failed last or waits, unless the run went well to its end. */
export function matters({ order, progress, placed: { places } }: Scene): Box | undefined {
  const having = (tone: string) => order.find((id) => places.has(id) && toneOfPlace(progress, id) === tone);
  const id = having("failed") ?? having("waits");
  return id === undefined ? undefined : places.get(id);
}

/** The node that a reference name means: the definition's, or that of one iteration's record. */
export function nodeNamed({ nodes, progress }: Structure, reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined;
  for (const [id, node] of nodes) if (node.reference === reference) return id;
  for (const [id, state] of progress?.states ?? []) if (state.task?.referenceTaskName === reference) return id;
  return undefined;
}

/** What the node is called outside: its record's name where a run has one. */
export function nameOutside({ nodes, progress }: Structure, id: string): string {
  return progress?.states.get(id)?.task?.referenceTaskName ?? nodes.get(id)?.reference ?? "";
}

/** `none`: not reached. */
export function toneOfPlace(progress: Progress | undefined, id: string): string {
  const tally = progress?.tallies.get(id);
  if (tally) return tally.failed > 0 ? "failed" : tally.open > 0 ? "waits" : tally.done > 0 ? "done" : "none";
  const status = progress?.states.get(id)?.status ?? null;
  return status === null ? "none" : toneOf(status);
}

function* splitsIn(items: Sequence): Generator<Split> {
  for (const item of items) {
    if (item.is === "loop") yield* splitsIn(item.body);
    if (item.is !== "split") continue;
    if (item.group) yield item;
    for (const branch of item.branches) yield* splitsIn(branch.items);
  }
}

function* orderOf(items: Sequence): Generator<string> {
  for (const item of items) {
    yield item.node.id;
    if (item.is === "loop") yield* orderOf(item.body);
    if (item.is !== "split") continue;
    if (item.group) yield item.group;
    for (const branch of item.branches) yield* orderOf(branch.items);
    if (item.meet.node) yield item.meet.node.id;
  }
}
