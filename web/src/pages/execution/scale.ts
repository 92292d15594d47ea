// Where the bars of a timeline stand: parts of the whole, 0 to 1. Pure. Moments in epoch milliseconds.
import type { Task } from "../../conductor/types.ts";

export interface Scale {
  readonly from: number;
  readonly to: number;
}

export interface Bar {
  readonly task: Task;
  /** Scheduled, and not begun yet. */
  readonly queued: Part | undefined;
  readonly ran: Part | undefined;
  readonly open: boolean;
}

export interface Part {
  readonly left: number;
  readonly width: number;
}

const STEPS = [1, 2, 5, 10, 15, 30].flatMap((step) => [step * 1000, step * 60_000]).concat([1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 720, 2160, 8760].map((hours) => hours * 3_600_000), [1, 2, 5, 10, 20, 50, 100, 200, 500]);

/** From the run's beginning to its end, or to the present. Never empty. */
export function scaleOf(tasks: readonly Task[], began: number, ended: number | undefined, now: number): Scale {
  let [from, to] = [began, ended ?? now];
  for (const task of tasks) {
    from = Math.min(from, task.scheduledTime || from);
    to = Math.max(to, task.endTime || 0, task.startTime || 0);
  }
  return { from, to: Math.max(to, from + 1) };
}

export function barOf(task: Task, scale: Scale, now: number): Bar {
  const open = !task.endTime;
  const scheduled = task.scheduledTime || task.startTime || scale.from;
  const started = task.startTime || undefined;
  const end = task.endTime || Math.min(now, scale.to);
  return {
    task,
    queued: part(scheduled, started ?? end, scale),
    ran: started === undefined ? undefined : part(started, Math.max(end, started), scale, true),
    open,
  };
}

function part(from: number, to: number, { from: begin, to: end }: Scale, always = false): Part | undefined {
  if (to <= from && !always) return undefined;
  const left = clamp((from - begin) / (end - begin));
  return { left, width: clamp((to - begin) / (end - begin)) - left };
}

export function place(moment: number, { from, to }: Scale): number {
  return clamp((moment - from) / (to - from));
}

/** Round distances from the beginning at which the axis has a mark: about `wanted` of them, in milliseconds. */
export function ticks({ from, to }: Scale, wanted: number): readonly number[] {
  const span = to - from;
  const sorted = STEPS.toSorted((one, other) => one - other);
  const step = sorted.find((each) => span / each <= wanted) ?? sorted.at(-1)! * Math.ceil(span / sorted.at(-1)! / wanted);
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step);
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
