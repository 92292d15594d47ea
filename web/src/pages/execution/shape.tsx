// The shapes that mark polls: the same on the chart, in its legend and in the table. A shape for each, so that colour is not needed.
import type { Mark } from "./marks.ts";

/** In a square from -1 to 1. */
export const SHAPES: Readonly<Record<Mark, { path: string; tone: string; filled: boolean }>> = {
  error: { path: "M-1-1 1 1M-1 1 1-1", tone: "--failed", filled: false },
  slow: { path: "M0-1 1 .9-1 .9Z", tone: "--held", filled: true },
  longer: { path: "M-1-1 1-1 0 .1 1 1-1 1 0 .1Z", tone: "--held", filled: false },
  state: { path: "M0-1.1 1.1 0 0 1.1-1.1 0Z", tone: "--accent", filled: true },
  end: { path: "M-.9-.9.9-.9.9.9-.9.9Z", tone: "--ink", filled: true },
};

export function Shape({ mark, title }: { mark: Mark; title: string }) {
  const { path, filled } = SHAPES[mark];
  return (
    <svg class={`shape shape-${mark}`} viewBox="-1.5 -1.5 3 3" role="img" aria-label={title}>
      <title>{title}</title>
      <path d={path} fill={filled ? "currentcolor" : "none"} stroke="currentcolor" stroke-width="0.45" />
    </svg>
  );
}
