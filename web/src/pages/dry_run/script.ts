// What a vendor is to answer in a dry run: the rows of the form, and the JSON that they become. Pure.
import type { Json, WorkflowDef, WorkflowTask } from "../../conductor/types.ts";
import { steps } from "../definitions/steps.ts";

/** One answer as the form holds it: texts. */
export interface Line {
  statusCode: string;
  body: string;
  retryAfter: string;
  /** So often it is given in a row; "" once, or for ever when it is the last. */
  times: string;
}

export interface Script {
  taskReferenceName: string;
  type: string;
  lines: readonly Line[];
}

/** As `POST /api/workflow/dry-run` takes it. */
export interface ScriptedAnswers {
  taskReferenceName: string;
  responses: readonly { statusCode: number; body: Json; headers?: Readonly<Record<string, string>>; times?: number }[];
}

const CALLS_VENDORS: ReadonlySet<string> = new Set(["HTTP", "HTTP_POLL"]);
export const NEW_LINE: Line = { statusCode: "200", body: "{}", retryAfter: "", times: "" };

/** One script for each step that calls a vendor: a job that is running twice and then done, for a poll. */
export function begun(definition: WorkflowDef): readonly Script[] {
  const calling = steps(definition.tasks).filter(({ type }) => CALLS_VENDORS.has(type));
  return calling.map((task) => ({ taskReferenceName: task.taskReferenceName, type: task.type, lines: linesFor(task) }));
}

/** Throws `Error`, naming the step and the answer, for a text that cannot be. */
export function answersOf(scripts: readonly Script[]): readonly ScriptedAnswers[] {
  return scripts.map(({ taskReferenceName, lines }) => ({
    taskReferenceName,
    responses: lines.map((line, index) => response(line, `${taskReferenceName}, answer ${index + 1}`)),
  }));
}

function response(line: Line, place: string): ScriptedAnswers["responses"][number] {
  const statusCode = whole(line.statusCode, `${place}: the status`);
  if (statusCode < 100 || statusCode > 599) throw new Error(`${place}: the status must be between 100 and 599.`);
  const headers = line.retryAfter ? { headers: { "Retry-After": line.retryAfter } } : {};
  const times = line.times ? { times: whole(line.times, `${place}: how often`) } : {};
  return { statusCode, body: bodyOf(line.body), ...headers, ...times };
}

/** A text that is JSON is sent as that, any other as text. */
function bodyOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function whole(text: string, what: string): number {
  if (!/^\d{1,9}$/.test(text.trim())) throw new Error(`${what} must be a whole number.`);
  return Number(text);
}

function linesFor(task: WorkflowTask): readonly Line[] {
  if (task.type !== "HTTP_POLL") return [{ ...NEW_LINE, body: '{"jobId": "job-1"}' }];
  const { field, words } = stateIn(conditionOf(task));
  const body = (word: string) => JSON.stringify({ [field]: word });
  return [
    { ...NEW_LINE, body: body("RUNNING"), times: "2" },
    { ...NEW_LINE, body: body(words[0] ?? "SUCCEEDED") },
  ];
}

function conditionOf(task: WorkflowTask): string {
  const input = task.inputParameters ?? {};
  const request = input["http_request"];
  const inside = request && typeof request === "object" && !Array.isArray(request) ? (request as Readonly<Record<string, Json>>)["terminationCondition"] : undefined;
  return String(inside ?? input["terminationCondition"] ?? "");
}

/** A guess from the condition's text: which field of the body it reads and which words it looks for. The form shows it, to be changed. */
function stateIn(condition: string): { field: string; words: readonly string[] } {
  const field = /\.body\.([A-Za-z_]\w*)/.exec(condition)?.[1] ?? "status";
  return { field, words: [...condition.matchAll(/===?\s*['"]([^'"]+)['"]/g)].map(([, word]) => word!) };
}
