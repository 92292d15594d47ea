// Moving a drawing: by wheel, drag, two fingers. Returns nothing but new sights.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { zoomed } from "./sight.ts";
import type { Sight } from "./sight.ts";

type Change = (change: (sight: Sight) => Sight) => void;
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A press that moved less than this is a click. Pixels. */
const STILL = 4;

/**
 * The wheel scrolls the page until somebody works with the graph: a page that catches the wheel of who only passes by is a trap.
 * With Ctrl (and with two fingers on a touch pad, which browsers tell as the same) it always zooms.
 */
export function useMoving(element: RefObject<SVGSVGElement | null>, change: Change): void {
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    const svg = element.current;
    if (!svg) return undefined;
    const hands = new Hands(svg, (next) => latest.current(next));
    hands.begin();
    return () => hands.end();
  }, []);
}

class Hands {
  private readonly down = new Map<number, Spot>();
  private moved = 0;
  private readonly stop = new AbortController();

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly change: Change,
  ) {}

  begin(): void {
    const options = { signal: this.stop.signal };
    this.svg.addEventListener("wheel", (event) => this.wheel(event), { ...options, passive: false });
    this.svg.addEventListener("pointerdown", (event) => this.press(event), options);
    this.svg.addEventListener("pointermove", (event) => this.drag(event), options);
    for (const name of ["pointerup", "pointercancel"] as const) this.svg.addEventListener(name, (event) => this.down.delete(event.pointerId), options);
    this.svg.addEventListener("click", (event) => this.click(event), { ...options, capture: true });
  }

  end(): void {
    this.stop.abort();
  }

  private wheel(event: WheelEvent): void {
    const working = this.svg.contains(document.activeElement);
    if (!event.ctrlKey && !event.metaKey && !working) return;
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    const factor = Math.exp(-Math.max(-120, Math.min(120, step)) * (event.ctrlKey && Math.abs(step) < 30 ? 0.01 : 0.002));
    const at = this.spot(event);
    this.change((sight) => zoomed(sight, factor, at));
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (this.down.size === 0) this.moved = 0;
    this.down.set(event.pointerId, this.spot(event));
  }

  private drag(event: PointerEvent): void {
    const before = this.down.get(event.pointerId);
    if (!before) return;
    if (event.pointerType === "mouse" && event.buttons === 0) {
      this.down.delete(event.pointerId);
      return;
    }
    const after = this.spot(event);
    this.moved += Math.abs(after.x - before.x) + Math.abs(after.y - before.y);
    if (this.moved < STILL) return;
    if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, after);
    const other = [...this.down].find(([id]) => id !== event.pointerId)?.[1];
    this.change((sight) => (other ? pinched(sight, other, before, after) : { ...sight, x: sight.x + after.x - before.x, y: sight.y + after.y - before.y }));
  }

  /** What ends a drag is no click. */
  private click(event: MouseEvent): void {
    if (this.moved >= STILL && event.detail > 0) {
      event.stopPropagation();
      event.preventDefault();
    }
  }

  private spot(event: MouseEvent): Spot {
    const box = this.svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

function pinched(sight: Sight, still: Spot, before: Spot, after: Spot): Sight {
  const apart = (spot: Spot) => Math.hypot(spot.x - still.x, spot.y - still.y) || 1;
  return zoomed(sight, apart(after) / apart(before), still);
}
