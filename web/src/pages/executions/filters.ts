// Which runs are listed: read from the page's address, written back to it, and said in the search language. Pure.
import { WORKFLOW_STATUSES } from "../../conductor/types.ts";
import type { WorkflowStatus } from "../../conductor/types.ts";
import { cursorsFrom, textOf } from "./paging.ts";

export const SPANS = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
export type Span = keyof typeof SPANS;

export interface Filters {
  readonly definition: string;
  readonly statuses: readonly WorkflowStatus[];
  /** Runs that began in the last hour, day...; else `from` and `to`, in milliseconds, both within. */
  readonly span: Span | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly correlation: string;
  readonly host: string;
  /** Without those that other runs began. */
  readonly top: boolean;
  /** In the search language, besides the rest. */
  readonly query: string;
  /** Nothing for the newest, then a cursor for each page gone back in time. */
  readonly pages: readonly string[];
}

export const ALL: Filters = {
  definition: "", statuses: [], span: null, from: null, to: null, correlation: "", host: "", top: false, query: "", pages: [],
};

type Query = Readonly<Record<string, string | undefined>>;

/** What is no sensible value counts as not said: an address may be mistyped. */
export function filtersFrom(query: Query): Filters {
  const said = (query["status"] ?? "").toUpperCase().split(",");
  const span = query["since"] ?? "";
  return {
    definition: query["definition"] ?? "",
    statuses: WORKFLOW_STATUSES.filter((status) => said.includes(status)),
    span: Object.hasOwn(SPANS, span) ? (span as Span) : null,
    from: moment(query["from"]),
    to: moment(query["to"]),
    correlation: query["correlation"] ?? "",
    host: query["host"] ?? "",
    top: query["top"] === "1",
    query: query["query"] ?? "",
    pages: cursorsFrom(query["pages"] ?? ""),
  };
}

/** The address of the list: what is not said is left out. */
export function addressOf(filters: Filters): string {
  const iso = (time: number | null) => (time === null ? "" : new Date(time).toISOString());
  const parts = {
    definition: filters.definition,
    status: filters.statuses.join(","),
    since: filters.span ?? "",
    from: iso(filters.from),
    to: iso(filters.to),
    correlation: filters.correlation,
    host: filters.host,
    top: filters.top ? "1" : "",
    query: filters.query,
    pages: textOf(filters.pages),
  };
  const text = new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== "")).toString();
  return text ? `/ui/executions?${text}` : "/ui/executions";
}

/** Is everything listed, newest first? */
export function isAll(filters: Filters): boolean {
  return addressOf({ ...filters, pages: [] }) === addressOf(ALL);
}

/** The query for `/api/workflow/search`. The language joins from the right, so what somebody wrote needs no brackets at the end. */
export function queryOf(filters: Filters, now: number): string {
  return chosenPart(filters, now) + filters.query.trim();
}

function chosenPart(filters: Filters, now: number): string {
  const { definition, statuses, correlation, host, top } = filters;
  const clauses = [
    definition && `workflowType = ${quoted(definition)}`,
    statuses.length > 0 && `status IN (${statuses.join(", ")})`,
    correlation && `correlationId = ${quoted(correlation)}`,
    host && `vendorHost = ${quoted(host)}`,
    top && "parentWorkflowId IS NULL",
    begun(filters, now),
  ].filter((clause) => typeof clause === "string" && clause !== "");
  const text = clauses.join(" AND ");
  return text && filters.query.trim() ? `${text} AND ` : text;
}

/** The refusal of a query, with the place in what somebody wrote. */
export function placed(message: string, filters: Filters, now: number): string {
  const before = chosenPart(filters, now).length;
  return message.replace(/at character (\d+)/, (_, place: string) => `at character ${Math.max(1, Number(place) - before)}`);
}

function begun({ span, from, to }: Filters, now: number): string {
  const low = span ? now - SPANS[span] : from;
  if (to !== null) return `startTime BETWEEN ${low ?? 0} AND ${to}`;
  return low === null ? "" : `startTime > ${low - 1}`;
}

/** A star means any characters: also for a quote of the kind that cannot be written. */
function quoted(value: string): string {
  return value.includes('"') && !value.includes("'") ? `'${value}'` : `"${value.replaceAll('"', "*")}"`;
}

function moment(text: string | undefined): number | null {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? null : time;
}
