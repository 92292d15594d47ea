// Asks for a page of runs, and for what those of them that are not over wait for. Knows no page.
import type { Waiting, WorkflowSummary } from "../../conductor/types.ts";
import { Refused, ask } from "../../server/client.ts";
import { queryOf } from "./filters.ts";
import type { Filters } from "./filters.ts";
import { SIZE } from "./paging.ts";

export interface Listed {
  readonly runs: readonly WorkflowSummary[];
  readonly total: number;
  /** There are more than `total`: nobody counted them to the end. */
  readonly more: boolean;
  /** What leads to the next page, if there is one. */
  readonly next: string | undefined;
  /** By run. */
  readonly waiting: ReadonlyMap<string, Waiting>;
  /** When the runs themselves were asked for; by the server's clock. */
  readonly searched: number;
}

interface Found {
  readonly totalHits: number;
  readonly totalHitsIsLowerBound?: boolean;
  readonly nextCursor?: string;
  readonly results: readonly WorkflowSummary[];
}

const OPEN: ReadonlySet<string> = new Set(["RUNNING", "PAUSED"]);
/** A search reads many rows, a look at the runs on the screen few. Milliseconds. */
const SEARCH_EVERY = 15_000;
const SOONEST = 2_000;
const QUIET = 30_000;

/** With `last`, the search is only made anew when it is old or a run ended meanwhile. */
export async function look(filters: Filters, now: number, signal: AbortSignal, last: Listed | undefined): Promise<Listed> {
  if (last && now - last.searched < SEARCH_EVERY) {
    const waiting = await waitingOf(last.runs, signal);
    if (last.runs.every((run) => !last.waiting.has(run.workflowId) || waiting.has(run.workflowId))) return { ...last, waiting };
  }
  const query = { query: queryOf(filters, now), cursor: filters.pages.at(-1), size: SIZE };
  const { results, totalHits, totalHitsIsLowerBound: more = false, nextCursor: next } = await ask<Found>("/api/workflow/search", { signal, query });
  return { runs: results, total: totalHits, more, next, waiting: await waitingOf(results, signal), searched: now };
}

/** Soon after the next poll that is due; slower when none is, and slowest when all is over. */
export function pace({ runs, waiting }: Listed, now: number): number {
  if (!runs.some(({ status }) => OPEN.has(status))) return QUIET;
  const due = [...waiting.values()].map(({ nextPollTime }) => nextPollTime ?? Infinity);
  return Math.min(SEARCH_EVERY, Math.max(SOONEST, Math.min(...due) - now + 1_500));
}

/** A server that does not tell leaves the list without these columns. */
async function waitingOf(runs: readonly WorkflowSummary[], signal: AbortSignal): Promise<ReadonlyMap<string, Waiting>> {
  const open = runs.filter(({ status }) => OPEN.has(status)).map(({ workflowId }) => workflowId);
  if (open.length === 0) return new Map();
  try {
    const told = await ask<readonly (Waiting | null)[]>("/api/executions/waiting", { signal, query: { workflowId: open } });
    return new Map(told.flatMap((one) => (one ? [[one.workflowId, one] as const] : [])));
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return new Map();
    throw error;
  }
}
