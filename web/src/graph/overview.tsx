// A small map of a large graph: all of it, what is seen of it, and a press to go elsewhere.
import { useMemo } from "preact/hooks";
import type { Place } from "./layout.ts";
import { toneOfPlace } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { contains, shown } from "./sight.ts";
import type { Sight, Size } from "./sight.ts";

interface Props {
  readonly scene: Scene;
  readonly sight: Sight;
  readonly size: Size;
  /** A point of the drawing that is to be in the middle. */
  readonly onGo: (x: number, y: number) => void;
}

const LARGEST = { width: 168, height: 150 };
/** A very long graph is drawn wider than it is. */
const LEAST = 36;

export function Overview({ scene, sight, size, onGo }: Props) {
  const { width, height } = scene.placed;
  const scale = Math.min(LARGEST.width / width, LARGEST.height / height);
  const seen = shown(sight, size);
  const needed = !contains(seen, { x: 0, y: 0, width, height });
  const marks = useMemo(() => <Marks scene={scene} least={2 / scale} />, [scene, scale]);
  const go = (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    event.stopPropagation();
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onGo(((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height);
  };
  if (!needed) return null;
  const drawn = { width: Math.max(width * scale, LEAST), height: Math.max(height * scale, LEAST), viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" };
  return (
    <svg class="overview" aria-hidden="true" {...drawn} onPointerDown={go} onPointerMove={go}>
      {marks}
      <rect class="seen" x={seen.x} y={seen.y} width={seen.width} height={seen.height} />
    </svg>
  );
}

/** One path for each tone: a thousand marks cost as little as one. */
function Marks({ scene, least }: { scene: Scene; least: number }) {
  const lines = new Map<string, string>();
  for (const id of scene.order) {
    const place = scene.placed.places.get(id);
    const tone = place && toneOfPlace(scene.progress, id);
    if (tone) lines.set(tone, (lines.get(tone) ?? "") + rectangle(place, least));
  }
  return (
    <>
      {[...lines].map(([tone, line]) => (
        <path key={tone} class={`mark tone-${tone}`} d={line} />
      ))}
    </>
  );
}

function rectangle({ x, y, width, height }: Place, least: number): string {
  return `M${x} ${y}h${Math.max(width, least)}v${Math.max(height, least)}h${-Math.max(width, least)}z`;
}
