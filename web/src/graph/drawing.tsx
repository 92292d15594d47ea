// The drawing itself: what is in view of it, and no more, so that a thousand tasks move as smoothly as ten.
import { useMemo, useRef } from "preact/hooks";
import { END, START } from "./flow.ts";
import type { Edge } from "./flow.ts";
import type { Box } from "./layout.ts";
import { GroupMark, NodeMark } from "./node.tsx";
import type { Scene } from "./scene.ts";
import { contains, grown, meets, shown } from "./sight.ts";
import type { Split } from "./shape.ts";
import type { Sight, Size } from "./sight.ts";
import { caseName, clipped } from "./telling.ts";

export interface Acts {
  readonly focus: (id: string) => void;
  readonly press: (id: string) => void;
}

interface Props {
  readonly scene: Scene;
  readonly sight: Sight;
  readonly size: Size;
  readonly selected: string | undefined;
  /** The node that has, or would have, the keyboard. */
  readonly door: string | undefined;
  readonly acts: Acts;
}

export function Drawing({ scene, sight, size, selected, door, acts }: Props) {
  const { part, far } = usePart(sight, size);
  const content = useMemo(
    () => <Content scene={scene} part={part} far={far} selected={selected} door={door} acts={acts} />,
    [scene, part, far, selected, door, acts],
  );
  return <g transform={`translate(${sight.x} ${sight.y}) scale(${sight.scale})`}>{content}</g>;
}

/** The part that is drawn: more than is seen, and the same until what is seen leaves it. */
function usePart(sight: Sight, size: Size): { part: Box; far: boolean } {
  const last = useRef<{ part: Box; scale: number }>({ part: { x: 0, y: 0, width: 0, height: 0 }, scale: 0 });
  const seen = shown(sight, size);
  const closer = last.current.scale / sight.scale;
  if (!contains(last.current.part, seen) || closer < 0.5) last.current = { part: grown(seen, 0.6), scale: sight.scale };
  return { part: last.current.part, far: sight.scale < 0.28 };
}

interface ContentProps extends Omit<Props, "sight" | "size"> {
  readonly part: Box;
  /** Too small to be read: shapes only. */
  readonly far: boolean;
}

function Content({ scene, part, far, ...rest }: ContentProps) {
  const { taken } = scene.progress ?? {};
  const edges = scene.edges.filter(({ id }) => scene.routes.has(id) && meets(scene.routes.get(id)!.box, part));
  const inOrder = taken ? [...edges.filter(({ id }) => !taken.has(id)), ...edges.filter(({ id }) => taken.has(id))] : edges;
  const frames = [...scene.placed.frames].filter(([, frame]) => meets(frame, part));
  return (
    <g class={far ? "far" : undefined}>
      <g aria-hidden="true">
        {frames.map(([id, frame]) => (
          <rect key={id} class="frame" x={frame.x} y={frame.y} width={frame.width} height={frame.height} rx="14" />
        ))}
        {inOrder.map((edge) => (
          <Line key={edge.id} scene={scene} edge={edge} />
        ))}
        {!far && edges.map((edge) => <Label key={edge.id} scene={scene} edge={edge} />)}
        {!far && [...scene.groups].map(([id, split]) => scene.placed.frames.has(id) && <Cases key={id} scene={scene} split={split} part={part} />)}
        <Ends scene={scene} />
      </g>
      {scene.order.map((id, at) => (isInPart(scene, id, part) || id === rest.door ? <Mark key={id} scene={scene} id={id} at={at} {...rest} /> : null))}
    </g>
  );
}

function isInPart(scene: Scene, id: string, part: Box): boolean {
  const place = scene.placed.places.get(id);
  return place !== undefined && meets(place, part);
}

function Mark({ scene, id, at, selected, door, acts }: Omit<ContentProps, "part" | "far"> & { id: string; at: number }) {
  const place = scene.placed.places.get(id);
  if (!place) return null;
  const reached = { at, place, door: id === door, onFocus: () => acts.focus(id), onPress: () => acts.press(id) };
  const split = scene.groups.get(id);
  if (split) return <GroupMark {...reached} split={split} tally={scene.progress?.tallies.get(id)} open={scene.placed.frames.has(id)} />;
  const node = scene.nodes.get(id)!;
  return <NodeMark {...reached} node={node} state={scene.progress?.states.get(id)} selected={id === selected} />;
}

function Line({ scene, edge }: { scene: Scene; edge: Edge }) {
  const taken = scene.progress ? (scene.progress.taken.has(edge.id) ? " taken" : " open") : "";
  const arrow = scene.nodes.has(edge.to) || scene.groups.has(edge.to) || edge.to === END;
  return <path class={`edge ${edge.kind}${taken}`} d={scene.routes.get(edge.id)!.line} marker-end={arrow ? `url(#graph-arrow${taken ? `-${taken.trim()}` : ""})` : undefined} />;
}

/** The names of the cases in an open group: no edges lead to them there. */
function Cases({ scene: { placed, progress }, split, part }: { scene: Scene; split: Split; part: Box }) {
  const chosen = progress?.tallies.get(split.group!)?.taken;
  return (
    <>
      {split.branches.map(({ id, value, items }) => {
        const place = placed.places.get(items[0]?.node.id ?? id);
        if (value === undefined || !place || !meets(place, part)) return null;
        return <Case key={id} value={value} taken={value === chosen} x={place.port} y={place.y - 7} />;
      })}
    </>
  );
}

function Label({ scene, edge }: { scene: Scene; edge: Edge }) {
  if (edge.value === undefined) return null;
  return <Case value={edge.value} taken={scene.progress?.taken.has(edge.id) ?? false} {...scene.routes.get(edge.id)!.label} />;
}

function Case({ value, taken, x, y }: { value: string | null; taken: boolean; x: number; y: number }) {
  const name = caseName(value);
  return (
    <text class={`case${taken ? " taken" : ""}${value === null ? " default" : ""}`} x={x} y={y} text-anchor="middle">
      {clipped(name, 26)}
      <title>{name}</title>
    </text>
  );
}

/** Where a run begins and ends, and the points where branches meet. */
function Ends({ scene: { placed, nodes, groups, progress, edges } }: { scene: Scene }) {
  const came = new Set(edges.filter(({ id }) => progress?.taken.has(id)).flatMap(({ from, to }) => [from, to]));
  return (
    <>
      {[...placed.places].map(([id, box]) => {
        if (nodes.has(id) || groups.has(id) || box.height < 2) return null;
        const kind = id === START ? "start" : id === END ? "end" : "meet";
        return <circle key={id} class={`${kind}${came.has(id) ? " taken" : ""}`} cx={box.x + box.width / 2} cy={box.y + box.height / 2} r={box.width / 2} />;
      })}
    </>
  );
}
