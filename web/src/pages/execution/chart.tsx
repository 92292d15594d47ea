// The poll ledger as a chart: how quickly the vendor answered, how late each poll was made, and what stood out. A file of its own: uPlot is loaded with it.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Poll } from "../../conductor/awaited.ts";
import { theme } from "../../shell/theme.ts";
import { plain } from "../../words/plain.ts";
import { length, moment } from "../../words/time.ts";
import { MARKS, type Mark } from "./marks.ts";
import { SHAPES, Shape } from "./shape.tsx";

const HEIGHT = 260;
const SIZE = 5; // of a mark, in CSS pixels, from its middle

interface Props {
  polls: readonly Poll[];
  marks: readonly (readonly Mark[])[];
  /** What the chart says, for who cannot see it. */
  label: string;
}

export function PollChart({ polls, marks, label }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const shown = useRef({ polls, marks });
  const [pointed, setPointed] = useState<number | null>(null);
  shown.current = { polls, marks };
  const look = theme.value;
  const dark = useDark();
  useEffect(() => {
    const element = holder.current;
    if (!element) return; // left already, before it was drawn
    const made = new uPlot(options(element, shown, setPointed), dataOf(shown.current.polls), element);
    plot.current = made;
    const watcher = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [look, dark]);
  useEffect(() => plot.current?.setData(dataOf(polls)), [polls]);
  return (
    <figure class="chart">
      <div ref={holder} role="img" aria-label={`Chart. ${label}`} />
      <figcaption>
        <Legend used={new Set(marks.flat())} />
        <p class="quiet small pointed">{pointed === null || !polls[pointed] ? " " : pointedWords(polls[pointed], marks[pointed] ?? [])}</p>
      </figcaption>
    </figure>
  );
}

function Legend({ used }: { used: ReadonlySet<Mark> }) {
  return (
    <ul class="legend">
      <li>
        <span class="swatch swatch-latency" /> Latency (left)
      </li>
      <li>
        <span class="swatch swatch-lateness" /> Lateness (right)
      </li>
      {(Object.keys(MARKS) as Mark[])
        .filter((mark) => used.has(mark))
        .map((mark) => (
          <li key={mark}>
            <Shape mark={mark} title={MARKS[mark]} /> {MARKS[mark]}
          </li>
        ))}
    </ul>
  );
}

function pointedWords(poll: Poll, marks: readonly Mark[]): string {
  const answer = poll.statusCode === undefined ? "no answer" : String(poll.statusCode);
  const said = [...marks.map((mark) => MARKS[mark].toLowerCase()), ...(poll.remoteState ? [plain(poll.remoteState, 24)] : [])];
  return [`Poll ${poll.poll} at ${moment(poll.firedTime, Date.now())}: ${answer} in ${length(poll.latencyMs)}`, `${length(poll.latenessMs)} late`, ...said].join(", ");
}

/** x: seconds since the epoch; the rest milliseconds. */
function dataOf(polls: readonly Poll[]): uPlot.AlignedData {
  return [polls.map(({ firedTime }) => firedTime / 1000), polls.map(({ latencyMs }) => latencyMs), polls.map(({ latenessMs }) => Math.max(0, latenessMs))];
}

type Shown = { current: Pick<Props, "polls" | "marks"> };

function options(holder: HTMLElement, shown: Shown, point: (index: number | null) => void): uPlot.Options {
  const colour = colours(holder);
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 } };
  const milliseconds = (_plot: uPlot, values: number[]) => values.map(short);
  const times = (_plot: uPlot, values: number[]) => values.map((value) => moment(value * 1000, Date.now()));
  return {
    width: holder.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: true, y: false } },
    scales: { x: { range: padded }, latency: { range: fromZero }, lateness: { range: fromZero } },
    axes: [{ ...axis, values: times, space: 90 }, { ...axis, scale: "latency", values: milliseconds, size: 64 }, { ...axis, grid: { show: false }, scale: "lateness", side: 1, values: milliseconds, size: 64 }],
    series: [
      {},
      { label: "Latency", scale: "latency", stroke: colour("--waits"), width: 2, points: { show: true, size: 5 } },
      { label: "Lateness", scale: "lateness", stroke: colour("--gone"), width: 1, dash: [5, 4], points: { show: false } },
    ],
    hooks: { draw: [(plot) => drawMarks(plot, shown.current, colour)], setCursor: [(plot) => point(plot.cursor.idx ?? null)] },
  };
}

/** Milliseconds beside an axis: `250 ms`, `1.5 s`, `2 min`. */
function short(value: number): string {
  return value >= 1000 && value < 120_000 ? `${Number((value / 1000).toFixed(1))} s` : length(value);
}

/** Room at both ends, so that no mark is cut off. */
function padded(_plot: uPlot, first: number | null, last: number | null): uPlot.Range.MinMax {
  const [from, to] = [first ?? 0, last ?? 1];
  const room = Math.max((to - from) * 0.02, 0.5);
  return [from - room, to + room];
}

/** Milliseconds: below, an axis would say the same number on every line. */
const LEAST = 10;

function fromZero(_plot: uPlot, _least: number | null, most: number | null): uPlot.Range.MinMax {
  return [0, Math.max(LEAST, (most ?? 0) * 1.25)];
}

function drawMarks(plot: uPlot, { polls, marks }: Shown["current"], colour: (name: string) => string): void {
  const { ctx } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left - 12, 0, plot.bbox.width + 24, plot.bbox.top + plot.bbox.height + 12);
  ctx.clip();
  let free = Number.NEGATIVE_INFINITY; // where the next word may stand
  polls.forEach((poll, index) => {
    const x = plot.valToPos(poll.firedTime / 1000, "x", true);
    const y = plot.valToPos(poll.latencyMs, "latency", true);
    (marks[index] ?? []).forEach((mark, place) => drawShape(ctx, mark, x, y - place * 3 * SIZE * devicePixelRatio, colour));
    if (poll.remoteState !== undefined && x > free) free = drawWord(plot, plain(poll.remoteState, 24), x, colour);
  });
  ctx.restore();
}

function drawShape(ctx: CanvasRenderingContext2D, mark: Mark, x: number, y: number, colour: (name: string) => string): void {
  const { path, tone, filled } = SHAPES[mark];
  const size = SIZE * devicePixelRatio;
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  ctx.fillStyle = ctx.strokeStyle = colour(tone);
  ctx.lineWidth = 0.45;
  const shape = new Path2D(path);
  if (filled) ctx.fill(shape);
  ctx.stroke(shape);
  ctx.restore();
}

/** Return where the word ends. */
function drawWord({ ctx, bbox }: uPlot, word: string, x: number, colour: (name: string) => string): number {
  const pixel = devicePixelRatio;
  ctx.strokeStyle = ctx.fillStyle = colour("--accent");
  ctx.lineWidth = pixel;
  ctx.setLineDash([2 * pixel, 3 * pixel]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.font = `${11 * pixel}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  ctx.fillText(word, x + 4 * pixel, bbox.top + 2 * pixel);
  return x + ctx.measureText(word).width + 12 * pixel;
}

function colours(element: HTMLElement): (name: string) => string {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(name).trim();
}

function useDark(): boolean {
  const [dark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const wanted = matchMedia("(prefers-color-scheme: dark)");
    const change = () => setDark(wanted.matches);
    wanted.addEventListener("change", change);
    return () => wanted.removeEventListener("change", change);
  }, []);
  return dark;
}
