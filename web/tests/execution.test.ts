import assert from "node:assert/strict";
import { test } from "node:test";
import type { Poll } from "../src/conductor/awaited.ts";
import type { Task, Workflow, WorkflowTask } from "../src/conductor/types.ts";
import { marksOf, summary, waitAfter } from "../src/pages/execution/marks.ts";
import { pace } from "../src/pages/execution/pace.ts";
import { found, matching, pollers, rowsOf } from "../src/pages/execution/rows.ts";
import { barOf, scaleOf, ticks } from "../src/pages/execution/scale.ts";
import { stepNamed } from "../src/pages/execution/step.ts";
import { dollars } from "../src/words/money.ts";
import { pollPlan } from "../src/words/request.ts";

function task(referenceTaskName: string, fields: Partial<Task> = {}): Task {
  return { taskId: `${referenceTaskName}-${fields.retryCount ?? 0}`, taskType: "HTTP", referenceTaskName, status: "COMPLETED", ...fields };
}

const TASKS = [
  task("submit", { seq: 1, status: "FAILED", retried: true }),
  task("await", { seq: 3, taskType: "HTTP_POLL", status: "IN_PROGRESS" }),
  task("submit", { seq: 2, retryCount: 1 }),
  task("step__1", { seq: 4, iteration: 1, taskDefName: "resize", taskType: "SIMPLE" }),
  task("step__2", { seq: 5, iteration: 2, taskDefName: "resize", taskType: "SIMPLE" }),
];

test("attempts of a task are one row, the newest shown", () => {
  const rows = rowsOf(TASKS);
  assert.deepEqual(rows.map(({ reference, latest, attempts }) => [reference, latest.taskId, attempts.length]), [
    ["submit", "submit-1", 2],
    ["await", "await-0", 1],
    ["step__1", "step__1-0", 1],
    ["step__2", "step__2-0", 1],
  ]);
  assert.deepEqual(rowsOf([]), []);
});

test("rows are found by what they are called, and by status", () => {
  const names = (text: string, status = "") => matching(rowsOf(TASKS), text, status).map(({ reference }) => reference);
  assert.deepEqual(names(""), ["submit", "await", "step__1", "step__2"]);
  assert.deepEqual(names(" RESIZE "), ["step__1", "step__2"]);
  assert.deepEqual(names("http_poll"), ["await"]);
  assert.deepEqual(names("", "IN_PROGRESS"), ["await"]);
  assert.deepEqual(names("submit", "FAILED"), []); // its newest attempt completed
});

test("an address names a task by reference, by id, or by the step of a loop", () => {
  const rows = rowsOf(TASKS);
  const of = (wanted: string) => found(rows, wanted)?.task.taskId;
  assert.deepEqual(["submit", "submit-0", "step__1", "step", "nothing", ""].map(of), ["submit-1", "submit-0", "step__1-0", "step__2-0", undefined, undefined]);
  assert.deepEqual(pollers(rows).map(({ taskId }) => taskId), ["await-0"]);
});

test("a step is found however deep it stands", () => {
  const step = (taskReferenceName: string, fields: Partial<WorkflowTask> = {}): WorkflowTask => ({ name: "n", type: "SIMPLE", taskReferenceName, ...fields });
  const inside = step("loop", { loopOver: [step("fork", { forkTasks: [[step("a")], [step("switch", { decisionCases: { x: [step("b")] }, defaultCase: [step("c")] })]] })] });
  for (const name of ["loop", "fork", "a", "switch", "b", "c"]) assert.equal(stepNamed([step("first"), inside], name)?.taskReferenceName, name);
  assert.equal(stepNamed([inside], "nothing"), undefined);
});

const NOW = 1_000_000_000;

test("a look comes soon after something is due, rarely while nothing is, never when the run is over", () => {
  const run = (fields: Partial<Workflow>): Workflow => ({ workflowId: "w", workflowName: "n", workflowVersion: 1, status: "RUNNING", ...fields });
  const due = (...moments: number[]) => run({ waitingFor: moments.map((dueTime) => ({ for: "VENDOR", dueTime })) });
  const long = NOW - 3_600_000;
  assert.equal(pace(run({ status: "COMPLETED" }), NOW, NOW), null);
  assert.equal(pace(run({ status: "FAILED" }), NOW, long), null);
  assert.equal(pace(run({}), NOW, NOW), 2_000);
  assert.equal(pace(run({}), NOW, NOW - 60_000), 12_000);
  assert.equal(pace(run({ status: "PAUSED" }), NOW, long), 30_000);
  assert.equal(pace(due(NOW + 10_000), NOW, long), 10_800);
  assert.equal(pace(due(NOW + 10_000, NOW + 5_000), NOW, long), 5_800);
  assert.equal(pace(due(NOW + 60_000), NOW, long), 30_000);
  assert.equal(pace(due(NOW + 50), NOW, long), 1_000);
  assert.equal(pace(due(NOW - 1_000), NOW, long), 2_000);
  assert.equal(pace(due(NOW - 60_000), NOW, long), 20_000);
  assert.equal(pace(run({ tasks: [task("await", { nextPollTime: NOW + 7_000 })] }), NOW, long), 7_800);
});

function poll(number: number, fields: Partial<Poll> = {}): Poll {
  const firedTime = NOW + number * 60_000;
  return { poll: number, dueTime: firedTime - 5, firedTime, latenessMs: 5, latencyMs: 100, statusCode: 200, decision: "AGAIN", nextDueTime: firedTime + 60_100, ...fields };
}

const PLAN = pollPlan({ inputData: { http_request: { pollingInterval: 60 } } });

test("what stands out in a ledger is marked", () => {
  const polls = [
    poll(1, { remoteState: "QUEUED" }),
    poll(2, { decision: "ERROR", statusCode: 500 }),
    poll(3, { decision: "SLOW_DOWN", statusCode: 429, nextDueTime: NOW + 3 * 60_000 + 300_100 }),
    poll(4),
    { ...poll(5, { decision: "DONE", remoteState: "SUCCEEDED" }), nextDueTime: undefined },
  ] as Poll[];
  assert.deepEqual(marksOf(polls, PLAN), [["state"], ["error"], ["slow", "longer"], [], ["state", "end"]]);
  assert.deepEqual(marksOf([], PLAN), []);
});

test("a wait that the strategy or the server's floor explains is no longer one", () => {
  const waits = (strategy: string, seconds: readonly number[], interval = 10) => {
    const polls = seconds.map((wait, index) => poll(index + 1, { nextDueTime: NOW + (index + 1) * 60_000 + 100 + wait * 1000 }));
    return marksOf(polls, pollPlan({ inputData: { pollingStrategy: strategy, pollingInterval: interval, maxPollingInterval: 100 } })).map((marks) => marks.includes("longer"));
  };
  assert.deepEqual(waits("FIXED", [60, 60, 120]), [false, false, true]); // the floor is 60
  assert.deepEqual(waits("LINEAR_BACKOFF", [10, 20, 30, 90]), [false, false, false, true]);
  assert.deepEqual(waits("EXPONENTIAL", [10, 20, 40, 80, 100, 100]), [false, false, false, false, false, false]);
  assert.equal(waitAfter(poll(1)), 60_000);
});

test("a ledger has a sum", () => {
  assert.deepEqual(summary([poll(1, { latencyMs: 50 }), poll(2, { latencyMs: 900, decision: "ERROR" }), poll(3, { latenessMs: 42_000, decision: "SLOW_DOWN" })]), {
    polls: 3,
    errors: 1,
    slowed: 1,
    medianLatency: 100,
    worstLatency: 900,
    worstLateness: 42_000,
  });
  assert.equal(summary([]).medianLatency, 0);
});

test("bars stand where their time is, and never outside", () => {
  const tasks = [task("a", { scheduledTime: NOW, startTime: NOW + 250, endTime: NOW + 500 }), task("b", { scheduledTime: NOW + 500, startTime: NOW + 500, status: "IN_PROGRESS" })];
  const scale = scaleOf(tasks, NOW, undefined, NOW + 1000);
  assert.deepEqual(scale, { from: NOW, to: NOW + 1000 });
  const [a, b] = tasks.map((each) => barOf(each, scale, NOW + 1000));
  assert.deepEqual([a?.queued, a?.ran, a?.open], [{ left: 0, width: 0.25 }, { left: 0.25, width: 0.25 }, false]);
  assert.deepEqual([b?.queued, b?.ran, b?.open], [undefined, { left: 0.5, width: 0.5 }, true]);
  assert.deepEqual(barOf(task("c", { scheduledTime: NOW }), scale, NOW + 1000).ran, undefined);
  assert.deepEqual(scaleOf([], NOW, NOW, NOW), { from: NOW, to: NOW + 1 });
  assert.deepEqual(barOf(task("d", { startTime: NOW - 5000, endTime: NOW + 9000 }), scale, NOW).ran, { left: 0, width: 1 });
});

test("an axis has a few round marks, whatever it spans", () => {
  for (const span of [1, 900, 61_000, 3_600_000, 40 * 86_400_000, 20 * 365 * 86_400_000]) {
    const marks = ticks({ from: NOW, to: NOW + span }, 6);
    assert.ok(marks.length >= 2 && marks.length <= 8, `${span}: ${marks.length}`);
    assert.equal(marks[0], 0);
  }
  assert.deepEqual(ticks({ from: 0, to: 61_000 }, 6), [0, 15_000, 30_000, 45_000, 60_000]);
});

test("small money keeps two figures", () => {
  assert.deepEqual([0, -1, Number.NaN, 0.000123, 0.0000004, 0.042, 0.5, 1.255, 1234.5].map(dollars), ["$0", "$0", "$0", "$0.00012", "$0.0000004", "$0.042", "$0.5", "$1.26", "$1,234.50"]);
});
