import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL, addressOf, filtersFrom, isAll, placed, queryOf } from "../src/pages/executions/filters.ts";
import type { Filters } from "../src/pages/executions/filters.ts";
import { cursorsFrom, following, pageWords, textOf } from "../src/pages/executions/paging.ts";
import { pollsOf, waitsFor } from "../src/pages/executions/telling.ts";

const NOW = 1_800_000_000_000;
const chosen = (some: Partial<Filters>): Filters => ({ ...ALL, ...some });

const QUERIES: readonly (readonly [Partial<Filters>, string])[] = [
  [{}, ""],
  [{ definition: "export", statuses: ["FAILED", "TIMED_OUT"] }, 'workflowType = "export" AND status IN (FAILED, TIMED_OUT)'],
  [{ correlation: 'a "b"' }, "correlationId = 'a \"b\"'"],
  [{ correlation: `"it's"` }, `correlationId = "*it's*"`],
  [{ host: "exports.example", top: true }, 'vendorHost = "exports.example" AND parentWorkflowId IS NULL'],
  [{ span: "1h" }, "startTime > 1799996399999"],
  [{ from: 5 }, "startTime > 4"],
  [{ to: 9 }, "startTime BETWEEN 0 AND 9"],
  [{ from: 5, to: 9, pages: ["a"] }, "startTime BETWEEN 5 AND 9"],
  [{ query: " version = 1 OR version = 2 " }, "version = 1 OR version = 2"],
  [{ query: "version = 1 OR version = 2", statuses: ["PAUSED"] }, "status IN (PAUSED) AND version = 1 OR version = 2"],
];

test("filters are said in the search language", () => {
  for (const [some, query] of QUERIES) assert.equal(queryOf(chosen(some), NOW), query);
});

test("an address says the filters, and nothing that is not one", () => {
  const all = chosen({ definition: "a&b", statuses: ["RUNNING", "FAILED"], span: "7d", correlation: "ü", host: "h", top: true, query: "x = 1", pages: ["a", "b-c"] });
  const query = Object.fromEntries(new URL(addressOf(all), "http://x").searchParams);
  assert.deepEqual(filtersFrom(query), all);
  const range = chosen({ from: 1_000, to: 2_000 });
  assert.deepEqual(filtersFrom(Object.fromEntries(new URL(addressOf(range), "http://x").searchParams)), range);
  assert.equal(addressOf(ALL), "/ui/executions");
  assert.ok(isAll(filtersFrom({ status: "NONSENSE", since: "constructor", from: "x", pages: "1.1;drop", top: "yes" })));
});

test("a mistake is told by its place in what somebody wrote", () => {
  const filters = chosen({ statuses: ["FAILED"], query: "a = 1 AND x" });
  const at = queryOf(filters, NOW).indexOf("x") + 1;
  assert.equal(placed(`cannot be read at character ${at}, at 'x'`, filters, NOW), "cannot be read at character 11, at 'x'");
  assert.equal(placed("The key may not read this.", filters, NOW), "The key may not read this.");
});

test("the way back through the pages is kept in the address, and does not grow without end", () => {
  assert.deepEqual(cursorsFrom(textOf(following(following([], "a-b"), "c_d"))), ["a-b", "c_d"]);
  const far = Array.from({ length: 60 }, (_, index) => `c${index}`).reduce<readonly string[]>(following, []);
  assert.ok(far.length < 30 && far.at(-1) === "c59");
  assert.deepEqual([pageWords([], "3 executions"), pageWords(["a"], ""), pageWords(far, "")], ["3 executions", "page 2", "far back"]);
  for (const text of ["", "a b", "a..b", "a.<", "é"]) assert.deepEqual(cursorsFrom(text), []);
});

test("a line tells what a run waits for", () => {
  const run = { workflowId: "1", status: "RUNNING", taskReferenceName: "poll", taskType: "HTTP_POLL" } as const;
  assert.equal(waitsFor({ ...run, host: "exports.example", openTasks: 3 }), "exports.example, and 2 other tasks");
  assert.equal(waitsFor({ ...run, waitingFor: [{ for: "WORKER", name: "resize" }] } as never), "a worker for resize");
  assert.equal(waitsFor(run), "poll (HTTP_POLL)");
  assert.equal(waitsFor({ workflowId: "1", status: "RUNNING", openTasks: 4 }), "4 tasks");
  assert.equal(waitsFor({ ...run, status: "PAUSED" }), "somebody who resumes it");
  assert.equal(pollsOf({ ...run, pollCount: 37, maxPollCount: 1000 }), "37 of 1,000");
  assert.equal(pollsOf(run), "");
});
