// What stands out in a poll ledger: errors, slow-downs, longer waits that the vendor asked for, new states, the end. Pure.
import type { Poll } from "../../conductor/awaited.ts";
import type { PollPlan } from "../../words/request.ts";

export type Mark = "error" | "slow" | "longer" | "state" | "end";

/** What the marks mean, in the words of the legend. */
export const MARKS: Readonly<Record<Mark, string>> = {
  error: "Error",
  slow: "Asked to slow down",
  longer: "Retry-After: a longer wait",
  state: "New state",
  end: "The end",
};

const SLACK = 1_500; // milliseconds; a wait is counted in whole seconds

/** The marks of each poll, in the ledger's order. */
export function marksOf(polls: readonly Poll[], plan: PollPlan): readonly (readonly Mark[])[] {
  const interval = keptInterval(polls, plan);
  return polls.map((poll) => {
    const marks: Mark[] = [];
    if (poll.decision === "ERROR") marks.push("error");
    if (poll.decision === "SLOW_DOWN") marks.push("slow");
    if (isLonger(poll, plan, interval)) marks.push("longer");
    if (poll.remoteState !== undefined) marks.push("state");
    if (poll.nextDueTime === undefined && poll.decision !== "AGAIN" && poll.decision !== "SLOW_DOWN") marks.push("end");
    return marks;
  });
}

/** The wait after a poll, from its answer to the next poll's due time. */
export function waitAfter(poll: Poll): number | undefined {
  return poll.nextDueTime === undefined ? undefined : poll.nextDueTime - poll.firedTime - poll.latencyMs;
}

/** The server may raise the interval to its floor: no wait is shorter than what it keeps. */
function keptInterval(polls: readonly Poll[], plan: PollPlan): number {
  const shortest = polls.flatMap((poll) => {
    const wait = waitAfter(poll);
    return wait === undefined ? [] : [wait / factor(poll.poll, plan)];
  });
  return Math.max(plan.interval, shortest.length > 0 ? Math.min(...shortest) : 0);
}

function isLonger(poll: Poll, plan: PollPlan, interval: number): boolean {
  const wait = waitAfter(poll);
  const expected = Math.min(interval * factor(poll.poll, plan), Math.max(plan.longest, interval));
  return wait !== undefined && wait > expected + SLACK;
}

function factor(poll: number, plan: PollPlan): number {
  if (plan.strategy === "FIXED") return 1;
  return plan.strategy === "LINEAR" ? poll : 2 ** Math.min(poll - 1, 40);
}

/** The ledger in one sentence: what the chart says to who cannot see it. */
export interface Summary {
  readonly polls: number;
  readonly errors: number;
  readonly slowed: number;
  /** Milliseconds. */
  readonly medianLatency: number;
  readonly worstLatency: number;
  readonly worstLateness: number;
}

export function summary(polls: readonly Poll[]): Summary {
  const latencies = polls.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other);
  return {
    polls: polls.length,
    errors: polls.filter(({ decision }) => decision === "ERROR").length,
    slowed: polls.filter(({ decision }) => decision === "SLOW_DOWN").length,
    medianLatency: latencies[Math.floor((latencies.length - 1) / 2)] ?? 0,
    worstLatency: latencies.at(-1) ?? 0,
    worstLateness: polls.reduce((worst, { latenessMs }) => Math.max(worst, latenessMs), 0),
  };
}
