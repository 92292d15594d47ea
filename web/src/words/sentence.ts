// What is the matter with a run, in one honest sentence. Pure: the present is an argument.
import type { Awaited } from "../conductor/awaited.ts";
import type { Task, Workflow } from "../conductor/types.ts";
import { told } from "./awaited.ts";
import type { Told } from "./awaited.ts";
import { closed, plain } from "./plain.ts";
import { count } from "./sizes.ts";
import { length, until } from "./time.ts";

/** Things told one by one; of more than that, those alike are told together. */
const MANY = 3;
const REASON = 240; // characters
const TASK_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** `Waiting for job-71c2 at exports.example: RUNNING for 37 min, 37 polls, next look in 42 s, gives up at 19:02.` */
export function sentence(run: Workflow, now: number): string {
  switch (run.status) {
    case "RUNNING":
      return closed(waiting(run, now) || `running: the engine is about to take the next step${outer(run, now)}`);
    case "PAUSED":
      return paused(run, now);
    case "COMPLETED":
      return closed(`finished${span(run)}`);
    case "FAILED":
      return closed(`failed${span(run)}${place(run)}${reason(run)}`);
    case "TIMED_OUT":
      return closed(`timed out${span(run)}${place(run)}${reason(run)}`);
    case "TERMINATED":
      return closed(`terminated${span(run)}${reason(run) || ": no reason was given"}`);
    default:
      return closed(`this run is ${plain(String(run.status))}`);
  }
}

/** The last attempt that failed and was not tried again: where a run broke. */
export function broken(run: Workflow): Task | undefined {
  return run.tasks?.findLast((task) => /FAILED|TIMED_OUT/.test(task.status) && !task.retried);
}

function paused(run: Workflow, now: number): string {
  const open = waiting(run, now);
  return `Paused: nothing new begins until somebody resumes it. ${open ? closed(`meanwhile ${open}`) : closed(outer(run, now).slice(2))}`.replace(/[ .]+$/, ".");
}

function waiting(run: Workflow, now: number): string {
  const things = open(run);
  const limit = runLimit(run);
  if (things.length === 0) return "";
  const each = (thing: Awaited, end?: number) => told(thing, taskOf(run, thing), now, end);
  if (things.length === 1) return `waiting for ${whole(each(things[0]!, limit))}`;
  return `waiting for ${things.length} things: ${several(things, each, now).join("; ")}${outer(run, now)}`;
}

function several(things: readonly Awaited[], each: (thing: Awaited) => Told, now: number): readonly string[] {
  if (things.length <= MANY) return things.map((thing) => brief(each(thing)));
  const groups = alike(things);
  const shown = groups.slice(0, groups.length > MANY + 1 ? MANY : MANY + 1);
  const rest = things.length - shown.flat().length;
  return [...shown.map((group) => together(group, each, now)), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

/** What the run's tasks wait for. What only waits for other tasks says nothing new beside those. */
function open(run: Workflow): readonly Awaited[] {
  const things = (run.waitingFor ?? []).filter((thing) => thing.taskId ?? thing.referenceTaskName);
  const outside = things.filter((thing) => thing.for !== "TASKS");
  return outside.length > 0 ? outside : things.slice(0, 1);
}

function runLimit(run: Workflow): number | undefined {
  return run.waitingFor?.find((thing) => !thing.taskId && !thing.referenceTaskName)?.dueTime;
}

function outer(run: Workflow, now: number): string {
  const limit = runLimit(run);
  return limit ? `; the run times out at ${until(limit, now)}` : "";
}

function taskOf(run: Workflow, thing: Awaited): Task | undefined {
  return run.tasks?.find((task) => task.taskId === thing.taskId);
}

function whole({ head, details }: Told): string {
  return details.length > 0 ? `${head}: ${details.join(", ")}` : head;
}

function brief({ head, details }: Told): string {
  const kept = details.filter((detail) => !/^(gives up|times out)/.test(detail)).slice(0, 3);
  return kept.length > 0 ? `${head} (${kept.join(", ")})` : head;
}

function alike(things: readonly Awaited[]): readonly (readonly Awaited[])[] {
  const groups = new Map<string, Awaited[]>();
  for (const thing of things) {
    const kind = `${thing.for} ${thing.for === "CHILD" ? "" : (thing.workerId ?? thing.name ?? "")}`;
    const known = groups.get(kind);
    if (known) known.push(thing);
    else groups.set(kind, [thing]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

function together(group: readonly Awaited[], each: (thing: Awaited) => Told, now: number): string {
  const first = group[0]!;
  if (group.length === 1) return brief(each(first));
  const name = plain(first.workerId ?? first.name ?? "");
  const next = Math.min(...group.map((thing) => thing.dueTime ?? Number.POSITIVE_INFINITY));
  const soonest = first.for === "VENDOR" && Number.isFinite(next) ? ` (the next look ${next > now ? `in ${length(next - now)}` : "is due now"})` : "";
  return `${amount(first, group.length)}${name && first.for !== "CHILD" ? ` ${first.for === "WORKER" && !first.workerId ? "for workers of" : "of"} ${name}` : ""}${soonest}`;
}

function amount(thing: Awaited, many: number): string {
  switch (thing.for) {
    case "VENDOR":
    case "UPDATE":
      return count(many, "answer");
    case "CHILD":
      return count(many, "sub-workflow");
    case "PERSON":
      return `${count(many, "task")} for people`;
    case "SIGNAL":
      return count(many, "signal");
    case "TIME":
      return count(many, "moment");
    default:
      return count(many, "task");
  }
}

function span(run: Workflow): string {
  const began = run.startTime || run.createTime;
  const lasted = began && run.endTime ? ` ${run.status === "COMPLETED" ? "in" : "after"} ${length(run.endTime - began)}` : "";
  const polls = (run.tasks ?? []).reduce((sum, task) => sum + (task.taskType === "HTTP_POLL" ? (task.pollCount ?? 0) : 0), 0);
  if (polls === 0) return lasted;
  return run.status === "COMPLETED" ? `${lasted} after ${count(polls, "poll")}` : `${lasted || " after"}${lasted ? " and " : " "}${count(polls, "poll")}`;
}

function place(run: Workflow): string {
  const task = broken(run);
  return task ? ` at ${plain(task.referenceTaskName)}` : "";
}

function reason(run: Workflow): string {
  const words = run.reasonForIncompletion || broken(run)?.reasonForIncompletion;
  if (!words) return "";
  // A person knows a task by its name, not by its id.
  const named = words.slice(0, 10 * REASON).replace(TASK_ID, (id) => run.tasks?.find(({ taskId }) => taskId === id)?.referenceTaskName ?? id);
  return `: ${plain(named, REASON)}`;
}
