// The window onto a drawing: its size, what is seen, the keyboard, the buttons, the map.
import { useMemo, useRef } from "preact/hooks";
import { Drawing } from "./drawing.tsx";
import { useMoving } from "./moving.ts";
import { Overview } from "./overview.tsx";
import type { Scene } from "./scene.ts";
import { useAnchor, useDoor, useRevealed, useSight, useSize } from "./seeing.ts";
import { centred, fit, revealing, zoomed } from "./sight.ts";
import type { Sight, Size } from "./sight.ts";
import { isArrow, walked } from "./walking.ts";

interface Props {
  scene: Scene;
  selected: string | undefined;
  onToggle: (group: string) => void;
  onSelect: (id: string) => void;
}

/** From this many nodes on there is a map. */
const LARGE = 40;

export function Board({ scene, selected, onToggle, onSelect }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const size = useSize(svg);
  const { sight, change } = useSight(scene, size, selected);
  const door = useDoor(scene, selected);
  const keep = useAnchor(scene, change);
  useMoving(svg, change);
  useRevealed(scene, selected, (id) => change((now) => (size ? revealing(scene.placed.places.get(id)!, now, size) : now)));

  const latest = useRef({ scene, onSelect, onToggle });
  latest.current = { scene, onSelect, onToggle };
  const acts = useMemo(() => ({ focus: door.focus, press: (id: string) => press(latest.current, id, keep) }), []);
  const walk = (event: KeyboardEvent) => {
    if (!size || event.altKey || event.ctrlKey || event.metaKey) return;
    const moved = keyed(event, size);
    const from = door.now();
    if (moved) change(moved);
    else if (isArrow(event.key) && from !== undefined) {
      const next = walked(scene, from, event.key);
      change((now) => revealing(scene.placed.places.get(next)!, now, size));
      door.go(next, svg);
    } else return;
    event.preventDefault();
  };
  const middle = size && { x: size.width / 2, y: size.height / 2 };
  const zoom = (factor: number) => middle && change((now) => zoomed(now, factor, middle));
  const go = (x: number, y: number) => size && change((now) => centred({ x, y, width: 0, height: 0 }, now, size));
  return (
    <div class="graph-board">
      <svg ref={svg} class="graph-drawing" role="group" aria-label="Graph: arrow keys follow its edges" onKeyDown={walk} style={{ height: heightOf(scene) }}>
        <Arrows />
        {size && sight && <Drawing scene={scene} sight={sight} size={size} selected={selected} door={door.id} acts={acts} />}
      </svg>
      <div class="graph-zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(1.3)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / 1.3)}>
          −
        </button>
        <button type="button" onClick={() => size && change(() => fit(scene.placed, size))}>
          Fit
        </button>
      </div>
      {size && sight && scene.placed.places.size > LARGE && <Overview scene={scene} sight={sight} size={size} onGo={go} />}
    </div>
  );
}

/** As high as it needs to be, within what a page can give. */
function heightOf(scene: Scene): string {
  return `clamp(15rem, ${Math.ceil(scene.placed.height + 48)}px, min(70vh, 46rem))`;
}

function press({ scene, onSelect, onToggle }: { scene: Scene } & Pick<Props, "onSelect" | "onToggle">, id: string, keep: (id: string) => void): void {
  if (!scene.groups.has(id)) onSelect(id);
  else {
    keep(id);
    onToggle(id);
  }
}

function keyed(event: KeyboardEvent, { width, height }: Size): ((now: Sight) => Sight) | undefined {
  const middle = { x: width / 2, y: height / 2 };
  if (event.key === "+" || event.key === "=") return (now) => zoomed(now, 1.3, middle);
  if (event.key === "-") return (now) => zoomed(now, 1 / 1.3, middle);
  if (!event.shiftKey || !isArrow(event.key)) return undefined;
  const x = { ArrowLeft: 80, ArrowRight: -80, ArrowUp: 0, ArrowDown: 0 }[event.key];
  const y = { ArrowLeft: 0, ArrowRight: 0, ArrowUp: 80, ArrowDown: -80 }[event.key];
  return (now) => ({ ...now, x: now.x + x, y: now.y + y });
}

function Arrows() {
  return (
    <defs>
      {["", "-taken", "-open"].map((kind) => (
        <marker key={kind} id={`graph-arrow${kind}`} class={`arrow${kind}`} viewBox="0 0 10 10" refX="9" refY="5" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto">
          <path d="M0 1L10 5L0 9Z" />
        </marker>
      ))}
    </defs>
  );
}
