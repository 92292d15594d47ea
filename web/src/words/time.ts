// Moments and lengths of time in words. Pure: the present is an argument. Milliseconds throughout.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `850 ms`, `42 s`, `37 min`, `2 h 5 min`, `3 d 4 h`: two units at most, the second only where it matters. */
export function length(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return two(ms, HOUR, "h", MINUTE, "min");
  return two(ms, DAY, "d", HOUR, "h");
}

function two(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  const head = `${Math.floor(ms / large)} ${largeName}`;
  return rest > 0 ? `${head} ${rest} ${smallName}` : head;
}

/** `in 42 s`, `3 min ago`, `now`. */
export function relative(moment: number, now: number): string {
  const distance = moment - now;
  if (Math.abs(distance) < SECOND) return "now";
  return distance > 0 ? `in ${length(distance)}` : `${length(-distance)} ago`;
}

/** `14:03:09` today, `Nov 29, 14:03` otherwise; with the year when it is another one. In the zone of whoever looks. */
export function moment(time: number, now: number): string {
  const date = new Date(time);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return date.toLocaleTimeString("en-GB");
  const year = date.getFullYear() === today.getFullYear() ? {} : ({ year: "numeric" } as const);
  return date.toLocaleString("en-GB", { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", ...year });
}

/** `19:02`, with the day when it is not today: the end of a wait. */
export function until(time: number, now: number): string {
  const date = new Date(time);
  const clock = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return date.toDateString() === new Date(now).toDateString() ? clock : moment(time, now);
}

/** ISO 8601 with the zone of whoever looks: what a tooltip says. */
export function exact(time: number): string {
  return new Date(time).toLocaleString("en-GB", { dateStyle: "full", timeStyle: "long" });
}
