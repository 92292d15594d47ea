// A run's tasks on a time axis: a line a reference name, a bar an attempt, waiting in a queue apart from running, a tick a poll.
import { useMemo, useState } from "preact/hooks";
import type { Task, Workflow } from "../../conductor/types.ts";
import { Empty } from "../../parts/problem.tsx";
import { toneOf } from "../../parts/status.tsx";
import { now } from "../../server/clock.ts";
import { count } from "../../words/sizes.ts";
import { length, moment } from "../../words/time.ts";
import { taskAddress } from "./address.ts";
import { usePolls } from "./ledger.tsx";
import { type Row, pollers, polls } from "./rows.ts";
import { type Part, type Scale, barOf, place, scaleOf, ticks } from "./scale.ts";

const ZOOMS = [1, 2, 4, 8, 16, 32, 64] as const;
const LEDGERS = 8; // with more tasks that poll, a look at their polls would be a storm of requests

interface Props {
  run: Workflow;
  rows: readonly Row[];
  selected: string | undefined;
}

export function Timeline({ run, rows, selected }: Props) {
  const [zoom, setZoom] = useState(0);
  const present = coarseNow(run);
  const scale = useMemo(() => scaleOf(run.tasks ?? [], run.startTime || run.createTime || present, run.endTime || undefined, present), [run, present]);
  if (rows.length === 0) return <Empty>No task has been scheduled yet.</Empty>;
  const withPolls = pollers(rows).length <= LEDGERS;
  return (
    <section aria-label="Timeline">
      <Zoom zoom={zoom} onZoom={setZoom} />
      <div class="timeline" style={{ "--zoom": ZOOMS[zoom] }}>
        <Axis scale={scale} zoom={ZOOMS[zoom]!} />
        <ol onKeyDown={arrows}>
          {rows.map((row, index) => (
            <Line key={row.reference} row={row} scale={scale} present={present} selected={row.reference === selected} reach={selected ? row.reference === selected : index === 0} withPolls={withPolls} />
          ))}
        </ol>
      </div>
      <Legend />
    </section>
  );
}

/** The present, in steps of about a two-hundredth of what is shown, and longer ones where there is much to draw. */
function coarseNow(run: Workflow): number {
  if (run.endTime) return run.endTime;
  const step = Math.max(1000, Math.round((now.value - (run.startTime || now.value)) / 200), 10 * (run.tasks ?? []).length);
  return Math.ceil(now.value / step) * step;
}

function Zoom({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  return (
    <div class="zoom">
      <button type="button" disabled={zoom === 0} onClick={() => onZoom(zoom - 1)}>
        Zoom out
      </button>
      <button type="button" disabled={zoom === ZOOMS.length - 1} onClick={() => onZoom(zoom + 1)}>
        Zoom in
      </button>
      <span class="quiet small">Arrow keys go from task to task, Enter opens one.</span>
    </div>
  );
}

function Axis({ scale, zoom }: { scale: Scale; zoom: number }) {
  return (
    <div class="axis" aria-hidden="true">
      <div class="label quiet small">{moment(scale.from, now.peek())}</div>
      <div class="track">
        {ticks(scale, 6 * zoom).map((tick) => (
          <span key={tick} class="tick" style={{ left: percent(place(scale.from + tick, scale)) }}>
            {tick === 0 ? "0" : `+${length(tick)}`}
          </span>
        ))}
      </div>
    </div>
  );
}

interface LineProps {
  row: Row;
  scale: Scale;
  present: number;
  selected: boolean;
  /** Whether Tab stops here: at one line of them all. */
  reach: boolean;
  withPolls: boolean;
}

function Line({ row, scale, present, selected, reach, withPolls }: LineProps) {
  const { latest, attempts, reference } = row;
  return (
    <li class={selected ? "line selected" : "line"}>
      <a class="label" href={taskAddress(selected ? null : reference)} tabIndex={reach ? 0 : -1} aria-current={selected ? "true" : undefined} title={reference}>
        {reference}
        <span class="hidden-visually">{`, ${inWords(row)}`}</span>
      </a>
      <div class="track" aria-hidden="true" title={`${reference}: ${inWords(row)}`}>
        {attempts.map((task) => (
          <Attempt key={task.taskId} task={task} scale={scale} present={present} />
        ))}
        {withPolls && polls(latest) && attempts.map((task) => <Polls key={task.taskId} task={task} scale={scale} />)}
      </div>
    </li>
  );
}

function Attempt({ task, scale, present }: { task: Task; scale: Scale; present: number }) {
  const { queued, ran, open } = barOf(task, scale, present);
  return (
    <>
      {queued && <span class="bar bar-queued" style={standing(queued)} />}
      {ran && <span class={`bar bar-${toneOf(task.status)}${open ? " bar-open" : ""}`} style={standing(ran)} />}
    </>
  );
}

/** One path for all polls of a task: there may be a thousand. */
function Polls({ task, scale }: { task: Task; scale: Scale }) {
  const { value: ledger } = usePolls(task);
  if (!ledger?.length) return null;
  const path = (of: typeof ledger) => of.map(({ firedTime }) => `M${(place(firedTime, scale) * 1000).toFixed(2)} 0V10`).join("");
  return (
    <svg class="polls" viewBox="0 0 1000 10" preserveAspectRatio="none">
      <path class="poll" d={path(ledger.filter(({ decision }) => decision !== "ERROR"))} />
      <path class="poll poll-error" d={path(ledger.filter(({ decision }) => decision === "ERROR"))} />
    </svg>
  );
}

function Legend() {
  return (
    <ul class="legend">
      <li>
        <span class="bar bar-queued" /> In a queue
      </li>
      <li>
        <span class="bar bar-waits bar-open" /> Still going on
      </li>
      <li>
        <span class="bar bar-done" /> Completed
      </li>
      <li>
        <span class="bar bar-failed" /> Failed
      </li>
      <li>
        <span class="bar bar-gone" /> Skipped or canceled
      </li>
      <li>
        <svg class="polls" viewBox="0 0 30 10">
          <path class="poll" d="M5 0V10M15 0V10M25 0V10" />
        </svg>{" "}
        A poll
      </li>
    </ul>
  );
}

function inWords({ latest, attempts }: Row): string {
  const began = latest.startTime || latest.scheduledTime;
  return [
    latest.status.replaceAll("_", " ").toLowerCase(),
    ...(began ? [`began ${moment(began, now.peek())}`] : []),
    ...(began && latest.endTime ? [`took ${length(latest.endTime - began)}`] : []),
    ...(attempts.length > 1 ? [count(attempts.length, "attempt")] : []),
    ...(polls(latest) ? [count(latest.pollCount ?? 0, "poll")] : []),
  ].join(", ");
}

function standing({ left, width }: Part): { left: string; width: string } {
  return { left: percent(left), width: `max(3px, ${percent(width)})` };
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}

/** Up, down, first, last: from line to line, for who has no mouse. */
function arrows(event: KeyboardEvent): void {
  const links = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("a.label")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 };
  const to = steps[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  links[Math.min(Math.max(to, 0), links.length - 1)]?.focus();
}
