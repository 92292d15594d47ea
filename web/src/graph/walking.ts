// Where an arrow key leads from a node: along edges, past mere points, and between branches. Pure.
import type { Scene } from "./scene.ts";

export type Arrow = "ArrowDown" | "ArrowUp" | "ArrowLeft" | "ArrowRight";

export function isArrow(key: string): key is Arrow {
  return key === "ArrowDown" || key === "ArrowUp" || key === "ArrowLeft" || key === "ArrowRight";
}

/** The same node where nothing lies that way. */
export function walked(scene: Scene, from: string, arrow: Arrow): string {
  switch (arrow) {
    case "ArrowDown":
      return into(scene, from) ?? along(scene, from, "down") ?? from;
    case "ArrowUp":
      return along(scene, from, "up") ?? from;
    case "ArrowLeft":
      return aside(scene, from, -1);
    case "ArrowRight":
      return aside(scene, from, 1);
  }
}

/** The taken way first. */
function along(scene: Scene, from: string, way: "down" | "up"): string | undefined {
  const taken = (id: string) => (scene.progress?.taken.has(id) ? 0 : 1);
  const edges = scene.edges.filter((edge) => (way === "down" ? edge.from : edge.to) === from && scene.routes.has(edge.id));
  const next = edges.sort((one, other) => rank(one.kind) - rank(other.kind) || taken(one.id) - taken(other.id));
  for (const edge of next) {
    const to = way === "down" ? edge.to : edge.from;
    const found = isPlace(scene, to) ? to : along(scene, to, way);
    if (found !== undefined) return found;
  }
  return way === "up" ? around(scene, from) : undefined;
}

function rank(kind: string): number {
  return kind === "inside" ? 0 : kind === "flow" ? 1 : 2;
}

/** What stands beside it: level with it, the nearest. */
function aside(scene: Scene, from: string, step: 1 | -1): string {
  const here = scene.placed.places.get(from);
  if (!here) return from;
  let best = from;
  let least = Infinity;
  for (const id of scene.order) {
    const there = scene.placed.places.get(id);
    if (!there || id === from) continue;
    const away = (there.x - here.x) * step;
    const level = there.y < here.y + here.height && here.y < there.y + there.height;
    if (level && away > 0 && away < least) [best, least] = [id, away];
  }
  return best;
}

/** The first branch of an open group. */
function into(scene: Scene, group: string): string | undefined {
  const first = scene.groups.get(group)?.branches.find(({ items }) => items.length > 0)?.items[0]?.node.id;
  return first !== undefined && scene.placed.places.has(first) ? first : undefined;
}

/** The group that a branch in an open group belongs to. */
function around(scene: Scene, id: string): string | undefined {
  for (const [group, split] of scene.groups) if (split.branches.some((branch) => branch.items[0]?.node.id === id)) return group;
  return undefined;
}

function isPlace(scene: Scene, id: string): boolean {
  return scene.nodes.has(id) || scene.groups.has(id);
}
