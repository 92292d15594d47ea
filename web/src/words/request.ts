// The request of an HTTP or HTTP_POLL task as its input tells it: address, job, and how it is polled. Pure. Anything may be missing or odd.
import type { Json, JsonObject, Task } from "../conductor/types.ts";

export type Strategy = "FIXED" | "LINEAR" | "EXPONENTIAL";

export interface PollPlan {
  /** Milliseconds; the server may keep a longer one. */
  readonly interval: number;
  readonly strategy: Strategy;
  readonly longest: number;
  readonly maxPolls: number;
  /** The moment of the last look, when there is one. */
  readonly deadline: number | undefined;
}

const MAX_POLLS = 1000; // the server's default
const INTERVAL = 60; // seconds, likewise
const LONGEST = 3600;

/** The request's fields stand in `http_request` or directly in the input. */
export function requestOf(task: Pick<Task, "inputData">): JsonObject | undefined {
  const inner = task.inputData?.["http_request"];
  return isObject(inner) ? inner : task.inputData;
}

/** How a poll task goes on. Fields inside `http_request` win over those beside it. */
export function pollPlan(task: Pick<Task, "inputData" | "startTime" | "scheduledTime">): PollPlan {
  const field = (name: string) => requestOf(task)?.[name] ?? task.inputData?.[name];
  const seconds = number(field("pollDeadlineSeconds"));
  const began = task.startTime || task.scheduledTime;
  const interval = number(field("pollingInterval")) ?? INTERVAL;
  return {
    interval: interval * 1000,
    strategy: strategy(field("pollingStrategy")),
    longest: Math.max(number(field("maxPollingInterval")) ?? LONGEST, interval) * 1000,
    maxPolls: number(field("maxPollCount")) ?? MAX_POLLS,
    deadline: seconds !== undefined && began ? began + seconds * 1000 : undefined,
  };
}

/** The id of the vendor's job: the last piece of the address's path that has a digit in it, `job-71c2` of `/v1/jobs/job-71c2/status`. */
export function jobOf(task: Pick<Task, "inputData">): string | undefined {
  const uri = requestOf(task)?.["uri"];
  if (typeof uri !== "string") return undefined;
  const path = uri.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  const pieces = path.split("/").map(decoded).reverse();
  return pieces.find((piece) => /\d/.test(piece) && piece.length <= 48 && !/^v\d+(\.\d+)*$/i.test(piece) && !piece.includes("${"));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strategy(value: Json | undefined): Strategy {
  const word = String(value ?? "").toUpperCase();
  if (word.startsWith("LINEAR")) return "LINEAR";
  return word.startsWith("EXPONENTIAL") ? "EXPONENTIAL" : "FIXED";
}

function number(value: Json | undefined): number | undefined {
  const found = typeof value === "number" ? value : typeof value === "string" && value.trim() ? Number(value) : Number.NaN;
  return Number.isFinite(found) && found > 0 ? found : undefined;
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
