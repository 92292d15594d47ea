// What this page asks the server: the run, small payloads in it and large ones by size; the rest on demand.
import type { Json, Task, Workflow } from "../../conductor/types.ts";
import { now } from "../../server/clock.ts";
import { ask, fetched } from "../../server/client.ts";
import { type Live, useLive } from "../../server/live.ts";
import { pace } from "./pace.ts";

interface Seen {
  readonly run: Workflow;
  readonly etag: string | undefined;
  /** When this page saw the run move last, by the server's clock. */
  readonly changed: number;
}

export function useRun(id: string): Live<Seen> {
  return useLive(id, (signal, last) => look(id, signal, last), ({ run, changed }) => pace(run, now.peek(), changed));
}

async function look(id: string, signal: AbortSignal, last: Seen | undefined): Promise<Seen> {
  const { value, etag } = await fetched<Workflow>(`/api/workflow/${encodeURIComponent(id)}`, {
    query: { includeTasks: true, summarize: true },
    known: last?.etag,
    signal,
  });
  if (value === null) return last!;
  const moved = last === undefined ? (value.updateTime ?? 0) : last.run.updateTime !== value.updateTime || polls(last.run) !== polls(value) ? now.peek() : last.changed;
  return { run: value, etag, changed: moved };
}

function polls(run: Workflow): number {
  return (run.tasks ?? []).reduce((sum, task) => sum + (task.pollCount ?? 0), 0);
}

type Payload = "input" | "output" | "variables" | "inputData" | "outputData";

/** A payload of the run that was left out for its size. */
export async function wholeOfRun(id: string, name: Payload): Promise<Json | undefined> {
  const run = await ask<Workflow>(`/api/workflow/${encodeURIComponent(id)}`, { query: { includeTasks: false } });
  return (run as unknown as Record<Payload, Json | undefined>)[name];
}

export async function wholeTask(taskId: string): Promise<Task> {
  return await ask<Task>(`/api/tasks/${encodeURIComponent(taskId)}`);
}
