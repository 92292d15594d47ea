// What a board remembers: its size, what is seen, which node has the keyboard. Hooks over the pure rules of sight.ts.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { matters } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { first } from "./sight.ts";
import type { Sight, Size } from "./sight.ts";

type Held = { readonly current: SVGSVGElement | null };

export function useSize(svg: Held): Size | undefined {
  const [size, setSize] = useState<Size | undefined>(undefined);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    watch.observe(svg.current!);
    return () => watch.disconnect();
  }, []);
  return size;
}

/** Begins where it matters, and stays where it is put. */
export function useSight(scene: Scene, size: Size | undefined, selected: string | undefined) {
  const [sight, setSight] = useState<Sight | undefined>(undefined);
  useLayoutEffect(() => {
    if (size && !sight) setSight(first(scene.placed, size, scene.placed.places.get(selected ?? "") ?? matters(scene)));
  }, [size]);
  const change = (next: (now: Sight) => Sight) => setSight((now) => now && next(now));
  return { sight, change };
}

/** The node by which the tab key enters: the one last focused, the selected one, the first. */
export function useDoor(scene: Scene, selected: string | undefined) {
  const [focused, set] = useState<string | undefined>(undefined);
  const wanted = useRef<{ id: string; svg: Held } | null>(null);
  const latest = useRef<string | undefined>(undefined); // keys may come faster than drawings
  const here = (id: string | undefined) => (id !== undefined && scene.placed.places.has(id) ? id : undefined);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { id, svg } = wanted.current;
    wanted.current = null;
    svg.current?.querySelector<SVGGElement>(`[data-at="${scene.order.indexOf(id)}"]`)?.focus({ preventScroll: true });
  });
  const go = (id: string, svg: Held) => {
    wanted.current = { id, svg };
    latest.current = id;
    set(id);
  };
  const focus = (id: string) => {
    latest.current = id;
    set(id);
  };
  const id = here(focused) ?? here(selected) ?? scene.order[0];
  return { id, now: () => here(latest.current) ?? id, focus, go };
}

/** A group that opens or closes stays under the hand that pressed it. */
export function useAnchor(scene: Scene, change: (next: (now: Sight) => Sight) => void): (id: string) => void {
  const kept = useRef<{ id: string; x: number; y: number } | null>(null);
  const latest = useRef(scene);
  latest.current = scene;
  useLayoutEffect(() => {
    const before = kept.current;
    const after = before && scene.placed.places.get(before.id);
    kept.current = null;
    if (before && after) change((now) => ({ ...now, x: now.x + (before.x - after.port) * now.scale, y: now.y + (before.y - after.y) * now.scale }));
  }, [scene.placed]);
  return (id) => {
    const place = latest.current.placed.places.get(id);
    if (place) kept.current = { id, x: place.port, y: place.y };
  };
}

/** What gets selected elsewhere comes into view. */
export function useRevealed(scene: Scene, selected: string | undefined, reveal: (id: string) => void): void {
  useEffect(() => {
    if (selected !== undefined && scene.placed.places.has(selected)) reveal(selected);
  }, [selected]);
}
