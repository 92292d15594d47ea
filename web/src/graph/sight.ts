// What of a drawing is seen: moving, zooming, fitting. Pure. A point p of the drawing is seen at p * scale + (x, y).
import type { Box } from "./layout.ts";

export interface Sight {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const LEAST = 0.03;
const MOST = 2.5;
/** Smaller than this nobody can read: better to begin at what matters. */
const READABLE = 0.62;
const MARGIN = 24;

export function fit(drawing: Size, window: Size): Sight {
  const scale = bounded(Math.min(1, (window.width - MARGIN) / drawing.width, (window.height - MARGIN) / drawing.height));
  return { scale, x: (window.width - drawing.width * scale) / 2, y: (window.height - drawing.height * scale) / 2 };
}

/** All of it where that can be read; else its top, or `matters` in the middle. */
export function first(drawing: Size, window: Size, matters: Box | undefined): Sight {
  const whole = fit(drawing, window);
  if (whole.scale >= READABLE) return whole;
  const scale = window.width < 500 ? 0.8 : 0.9;
  const middle = (window.width - drawing.width * scale) / 2;
  if (!matters) return { scale, x: middle, y: MARGIN / 2 };
  const sight = centred(matters, { ...whole, scale }, window);
  return { scale, x: middle > 0 ? middle : sight.x, y: Math.min(sight.y, MARGIN / 2) };
}

export function zoomed(sight: Sight, factor: number, at: { x: number; y: number }): Sight {
  const scale = bounded(sight.scale * factor);
  const by = scale / sight.scale;
  return { scale, x: at.x - (at.x - sight.x) * by, y: at.y - (at.y - sight.y) * by };
}

export function centred(box: Box, { scale }: Sight, window: Size): Sight {
  return { scale, x: window.width / 2 - (box.x + box.width / 2) * scale, y: window.height / 2 - (box.y + box.height / 2) * scale };
}

/** The same sight when the box is seen whole and can be read; else with the box in the middle. */
export function revealing(box: Box, sight: Sight, window: Size): Sight {
  const readable = sight.scale < READABLE ? { ...sight, scale: READABLE } : sight;
  const seen = shown(sight, window);
  return readable === sight && contains(seen, box) ? sight : centred(box, readable, window);
}

/** The part of the drawing that is seen. */
export function shown({ x, y, scale }: Sight, window: Size): Box {
  return { x: -x / scale, y: -y / scale, width: window.width / scale, height: window.height / scale };
}

export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - width * by, y: y - height * by, width: width * (1 + 2 * by), height: height * (1 + 2 * by) };
}

export function contains(outer: Box, inner: Box): boolean {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
}

export function meets(one: Box, other: Box): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

function bounded(scale: number): number {
  return Number.isFinite(scale) ? Math.min(MOST, Math.max(LEAST, scale)) : 1;
}
