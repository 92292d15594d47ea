// Moments on a page: how long ago, how long still, exact when pointed at.
import { now } from "../server/clock.ts";
import { exact, length, moment, relative } from "../words/time.ts";

/** `3 min ago`, counting. */
export function Ago({ time }: { time: number | undefined }) {
  if (!time) return <span class="quiet">–</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={exact(time)}>
      {relative(time, now.value)}
    </time>
  );
}

/** `14:03:09`, or with its day. */
export function At({ time }: { time: number | undefined }) {
  if (!time) return <span class="quiet">–</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={exact(time)}>
      {moment(time, now.value)}
    </time>
  );
}

/** `42 s`, down to `due`: not announced each second. */
export function Countdown({ time, due = "due now" }: { time: number | undefined; due?: string }) {
  if (!time) return <span class="quiet">–</span>;
  const left = time - now.value;
  return (
    <time class="countdown" dateTime={new Date(time).toISOString()} title={exact(time)} role="timer" aria-live="off">
      {left > 0 ? `in ${length(left)}` : due}
    </time>
  );
}
