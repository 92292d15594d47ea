// One thing that a run waits for, in words: what it is, and what is known of it. Pure: the present is an argument.
import type { Awaited } from "../conductor/awaited.ts";
import type { Task } from "../conductor/types.ts";
import { listed, plain } from "./plain.ts";
import { jobOf, pollPlan } from "./request.ts";
import { count } from "./sizes.ts";
import { length, until } from "./time.ts";

/** `waiting for HEAD: DETAIL, DETAIL`. */
export interface Told {
  readonly head: string;
  readonly details: readonly string[];
}

const LATE = 90_000; // a wake-up fires within the minute; later than this is worth a word

/** `runLimit`: when the run as a whole times out, told where it ends the wait. */
export function told(thing: Awaited, task: Task | undefined, now: number, runLimit?: number): Told {
  const name = plain(thing.referenceTaskName ?? task?.referenceTaskName ?? "the next step");
  const since = task?.startTime || task?.scheduledTime;
  const open = since ? [`for ${length(now - since)}`] : [];
  const ends = limits(thing.dueTime, runLimit, now);
  switch (thing.for) {
    case "VENDOR":
      return vendor(thing, task, name, now, runLimit);
    case "UPDATE":
      return { head: `${party(thing, "somebody")} to report the end of ${name}`, details: [...open, ...ends] };
    case "WORKER":
      return worker(thing, task, now, runLimit);
    case "PERSON":
      return { head: `somebody to complete ${name}`, details: [...open, ...ends] };
    case "SIGNAL":
      return { head: `a signal to end ${name}`, details: [...open, ...ends] };
    case "TIME":
      return { head: `the end of ${name}`, details: moment(thing.dueTime, now) };
    case "CHILD":
      return { head: `the sub-workflow ${name} to finish`, details: [...open, ...limits(undefined, runLimit, now)] };
    case "TASKS":
      return { head: thing.tasks?.length ? `${listed(thing.tasks)} to finish` : `the tasks of ${name} to finish`, details: [] };
    case "OPERATOR":
      return { head: "somebody to resume it", details: limits(undefined, runLimit, now) };
    case "ENGINE":
      return { head: `the engine to take the next step at ${name}`, details: [] };
  }
}

function vendor(thing: Awaited, task: Task | undefined, name: string, now: number, runLimit: number | undefined): Told {
  const host = party(thing, "its vendor");
  const retry = (task?.retryCount ?? 0) > 0 && task?.status === "SCHEDULED";
  if (retry) return { head: `another try of ${name} at ${host}`, details: [`attempt ${task!.retryCount! + 1}`, ...moment(thing.dueTime, now)] };
  if (!task || (task.taskType !== "HTTP_POLL" && !task.nextPollTime)) return { head: `${host} to answer ${name}`, details: task?.startTime ? [`asked ${length(now - task.startTime)} ago`] : [] };
  const job = jobOf(task);
  return { head: `${job ? plain(job, 48) : name} at ${host}`, details: pollDetails(thing, task, now, runLimit) };
}

function pollDetails(thing: Awaited, task: Task, now: number, runLimit: number | undefined): readonly string[] {
  const polls = task.pollCount ?? 0;
  const since = thing.remoteState ? thing.remoteStateSince : task.startTime || task.scheduledTime;
  const state = thing.remoteState ? [plain(thing.remoteState, 24)] : [];
  const stands = [...state, ...(since ? [`for ${length(now - since)}`] : [])].join(" ");
  const looked = polls > 0 ? [...(stands ? [stands] : []), count(polls, "poll")] : ["not looked at yet"];
  return [...looked, look(task.nextPollTime ?? thing.dueTime, now), ...ending(task, polls, now, runLimit)];
}

function look(due: number | undefined, now: number): string {
  if (due === undefined) return "next look due now";
  if (due > now) return `next look in ${length(due - now)}`;
  return now - due > LATE ? `next look late by ${length(now - due)}` : "next look due now";
}

/** What ends the polling, if nothing else does: the moment that comes first, or the count of polls where that comes before it. */
function ending(task: Task, polls: number, now: number, runLimit: number | undefined): readonly string[] {
  if (task.taskType !== "HTTP_POLL") return limits(undefined, runLimit, now); // an Air Pipe action says nowhere here how often it tries
  const plan = pollPlan(task);
  const moments = [plan.deadline, runLimit].filter((each) => each !== undefined);
  const byCount = `gives up after ${count(plan.maxPolls, "poll")}`;
  if (moments.length === 0) return [byCount];
  const first = Math.min(...moments);
  const byTime = `${first === runLimit && first !== plan.deadline ? "times out" : "gives up"} at ${until(first, now)}`;
  // Waits only grow, so this is the soonest that the polls can be used up.
  const soonest = now + Math.max(0, plan.maxPolls - polls) * (task.callbackAfterSeconds ? task.callbackAfterSeconds * 1000 : plan.interval);
  if (soonest >= first) return [byTime];
  return [plan.strategy === "FIXED" ? byCount : `${byTime} or after ${count(plan.maxPolls, "poll")}`];
}

function worker(thing: Awaited, task: Task | undefined, now: number, runLimit: number | undefined): Told {
  const name = plain(thing.referenceTaskName ?? "the task");
  const since = task?.startTime || task?.scheduledTime;
  const open = since ? [`for ${length(now - since)}`] : [];
  if (thing.workerId) return { head: `worker ${plain(thing.workerId)} to finish ${name}`, details: [...open, ...limits(thing.dueTime, runLimit, now)] };
  const queue = thing.name ? plain(thing.name) : name;
  const head = queue === name ? `a worker to take ${name}` : `a worker of ${queue} to take ${name}`;
  if (isHeldBack(thing, task, now)) return { head, details: [`offered to workers in ${length(thing.dueTime! - now)}`, ...limits(undefined, runLimit, now)] };
  const asked = thing.lastPollTime ? `a worker asked ${length(now - thing.lastPollTime)} ago` : "no worker has asked for it yet";
  return { head, details: [...open, asked, ...limits(thing.dueTime, runLimit, now)] };
}

/** Is the moment that is told the end of a delay (before a retry, or by the worker's own wish), rather than a timeout? */
function isHeldBack(thing: Awaited, task: Task | undefined, now: number): boolean {
  const delay = task?.callbackAfterSeconds || task?.startDelayInSeconds;
  const from = task?.updateTime || task?.scheduledTime;
  return Boolean(thing.dueTime && thing.dueTime > now && delay && from && thing.dueTime <= from + delay * 1000 + 2000);
}

function moment(due: number | undefined, now: number): readonly string[] {
  if (due === undefined) return [];
  return due > now ? [`at ${until(due, now)}`, `in ${length(due - now)}`] : ["due now"];
}

function limits(due: number | undefined, runLimit: number | undefined, now: number): readonly string[] {
  const moments = [due, runLimit].filter((each) => each !== undefined && each > now) as number[];
  return moments.length > 0 ? [`times out at ${until(Math.min(...moments), now)}`] : [];
}

function party(thing: Awaited, otherwise: string): string {
  return thing.name ? plain(thing.name) : otherwise;
}
