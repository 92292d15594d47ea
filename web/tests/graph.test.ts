import assert from "node:assert/strict";
import { test } from "node:test";
import type { Task, WorkflowDef, WorkflowTask } from "../src/conductor/types.ts";
import { END, START, flowOf } from "../src/graph/flow.ts";
import { place } from "../src/graph/layout.ts";
import { progressOf } from "../src/graph/progress.ts";
import type { Chosen } from "../src/graph/recorded.ts";
import { Recorded } from "../src/graph/recorded.ts";
import { routeOf } from "../src/graph/route.ts";
import { nodesOf, shapeOf } from "../src/graph/shape.ts";
import { contains, fit, revealing, shown, zoomed } from "../src/graph/sight.ts";
import type { Sight } from "../src/graph/sight.ts";
import { clipped, standingOf, tallyWords } from "../src/graph/telling.ts";

const SIZE = { width: 200, height: 60 };
const step = (reference: string, type = "SIMPLE", more: object = {}): WorkflowTask => ({ name: reference, taskReferenceName: reference, type, ...more });
const definition = (...tasks: WorkflowTask[]): WorkflowDef => ({ name: "test", version: 1, tasks });
const done = (reference: string, more: Partial<Task> = {}): Task =>
  ({ taskId: reference, taskType: "SIMPLE", referenceTaskName: reference, status: "COMPLETED", ...more }) as Task;

const CHOICE = step("route", "SWITCH", { decisionCases: { a: [step("in_a")], b: [step("stop", "TERMINATE")], none: [] }, defaultCase: [step("other")] });
const FORK = step("fork", "FORK_JOIN", { forkTasks: [[step("left1"), step("left2")], [step("right")]] });
const LOOP = step("loop", "DO_WHILE", { loopOver: [step("body")] });

/** `a>b` for each edge, with the case where there is one. */
function drawn(tasks: WorkflowDef): string[] {
  const bare = (id: string) => id.replace("task:", "");
  return flowOf(shapeOf(tasks)).map(({ from, to, value }) => `${bare(from)}>${bare(to)}${value === undefined ? "" : ` ${value ?? "default"}`}`);
}

function run(tasks: WorkflowDef, records: readonly Task[], chosen: Chosen = new Map()) {
  const recorded = new Recorded(tasks, records);
  const shape = shapeOf(tasks, recorded.forked(chosen));
  const edges = flowOf(shape);
  const progress = progressOf(shape, edges, recorded, chosen);
  const taken = edges.filter((edge) => progress.taken.has(edge.id)).map(({ from, to }) => `${from}>${to}`.replaceAll("task:", ""));
  return { shape, edges, ...progress, taken };
}

test("a choice leads to each case, its default, and past an empty one; what ends the run leads nowhere", () => {
  assert.deepEqual(drawn(definition(CHOICE, step("after"))), [
    "start>route", "route>in_a a", "route>stop b", "route>other default", "in_a>meet:route", "route>meet:route none", "other>meet:route", "meet:route>after", "after>end",
  ]);
});

test("a fork meets its JOIN where the JOIN waits, and nowhere else", () => {
  assert.deepEqual(drawn(definition(FORK, step("join", "JOIN", { joinOn: ["left1", "right"] }))), [
    "start>fork", "fork>left1", "left1>left2", "fork>right", "left1>join", "right>join", "join>end",
  ]);
  assert.deepEqual(drawn(definition(FORK, step("join", "JOIN", { joinOn: [] }))).slice(-2), ["fork>join", "join>end"]);
});

test("a JOIN apart from its fork shows what it waits for", () => {
  const apart = flowOf(shapeOf(definition(step("a"), step("b"), step("join", "JOIN", { joinOn: ["a", "b", "unknown"] }))));
  assert.deepEqual(apart.filter((edge) => edge.kind === "waits").map((edge) => edge.from), ["task:a"]);
});

test("each use of a name is a node of its own, also where a definition has it twice", () => {
  const ids = [...nodesOf(shapeOf(definition(step("same"), step("same"), step(""), CHOICE, FORK, LOOP)))].map((node) => node.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.includes("task:same#2"));
});

test("whatever stands in a definition, there is a graph of it", () => {
  let deep = step("deep");
  for (let level = 0; level < 200; level += 1) deep = step(`l${level}`, level % 2 ? "DO_WHILE" : "SWITCH", level % 2 ? { loopOver: [deep] } : { defaultCase: [deep] });
  const hostile = [
    null, 7, {}, { tasks: null }, { tasks: "x" }, { tasks: [null, 3, [], {}, { type: 5, taskReferenceName: {} }] },
    definition(step("s", "SWITCH", { decisionCases: [1], defaultCase: 3 }), step("f", "FORK_JOIN", { forkTasks: [null, [], [[]]] }), step("j", "JOIN", { joinOn: 8 })),
    definition(step("d", "DO_WHILE", { loopOver: {} }), step("__proto__", "constructor"), step("x", "NO_SUCH_TYPE"), step("f", "FORK_JOIN"), step("j", "JOIN")),
    definition(step("s", "SWITCH", { decisionCases: JSON.parse('{"__proto__": [{"type": "SIMPLE"}], "": []}') })),
    definition(deep),
  ];
  for (const each of hostile) {
    const { shape, edges } = run(each as WorkflowDef, [done("x"), {} as Task, done("__proto__", { iteration: -1 })]);
    const { places } = place(shape, SIZE, new Set());
    for (const { from, to } of edges) assert.ok(places.has(from) && places.has(to), `${from}>${to}`);
  }
});

test("the way a run took is known, and what it left aside", () => {
  const tasks = definition(CHOICE, step("after"), step("last"));
  const records = [done("route", { taskType: "SWITCH", outputData: { selectedCase: "a" } }), done("in_a"), done("after", { status: "IN_PROGRESS", pollCount: 37 })];
  const { taken, states } = run(tasks, records);
  assert.deepEqual(taken, ["start>route", "route>in_a", "in_a>meet:route", "meet:route>after"]);
  assert.equal(states.get("task:after")?.polls, 37);
  assert.equal(states.get("task:other")?.status, null);
});

test("an empty case is a way, too", () => {
  const records = [done("route", { outputData: { evaluationResult: ["none"] } }), done("after")];
  const { taken } = run(definition(CHOICE, step("after")), records);
  assert.deepEqual(taken, ["start>route", "route>meet:route", "meet:route>after", "after>end"]);
});

test("a JOIN that waits has been reached from the branches that are over", () => {
  const tasks = definition(FORK, step("join", "JOIN", { joinOn: ["left2", "right"] }));
  const records = [done("fork"), done("left1"), done("left2", { status: "SCHEDULED" }), done("right"), done("join", { status: "IN_PROGRESS" })];
  assert.deepEqual(run(tasks, records).taken, ["start>fork", "fork>left1", "left1>left2", "fork>right", "right>join"]);
});

test("the latest attempt counts, and how many there were", () => {
  const records = [done("a", { status: "FAILED", seq: 1, taskId: "1" }), done("a", { status: "SCHEDULED", retryCount: 1, seq: 2, taskId: "2" })];
  const state = run(definition(step("a")), records).states.get("task:a");
  assert.deepEqual([state?.status, state?.attempts, state?.task?.taskId], ["SCHEDULED", 2, "2"]);
});

test("a loop shows its last iteration, or the one that is chosen", () => {
  const body = (iteration: number, status: Task["status"]) => done(`body__${iteration}`, { iteration, status });
  const records = [done("loop", { status: "IN_PROGRESS" }), body(1, "COMPLETED"), body(2, "COMPLETED_WITH_ERRORS"), body(3, "SCHEDULED")];
  const { states } = run(definition(LOOP), records);
  assert.deepEqual([states.get("task:loop")?.iterations, states.get("task:body")?.status], [3, "SCHEDULED"]);
  const second = run(definition(LOOP), records, new Map([["loop", 2]])).states;
  assert.deepEqual([second.get("task:loop")?.iteration, second.get("task:body")?.task?.referenceTaskName], [2, "body__2"]);
});

const FAN = definition(step("fan", "FORK_JOIN_DYNAMIC"), step("join", "JOIN"));
function fanned(branches: number, named: boolean): Task[] {
  const names = Array.from({ length: branches }, (_, index) => `job_${index}`);
  const fork = done("fan", { taskType: "FORK", seq: 1, ...(named ? { inputData: { forkedTasks: names } } : {}) });
  const status = (index: number) => (index < 3 ? "FAILED" : index < 5 ? "SCHEDULED" : "COMPLETED");
  const jobs = names.map((name, index) => done(name, { seq: index + 2, status: status(index), workflowTask: step(name, "HTTP") }));
  return [fork, ...jobs, done("join", { taskType: "JOIN", seq: branches + 2, status: "IN_PROGRESS" })];
}

test("a dynamic fork has the branches that the run has; before that, one that stands for any number", () => {
  assert.deepEqual(drawn(FAN), ["start>fan", "fan>later:fan", "later:fan>join", "join>end"]);
  for (const named of [true, false]) {
    const types = [...nodesOf(run(FAN, fanned(4, named)).shape)].map((node) => node.type);
    assert.deepEqual(types, ["FORK_JOIN_DYNAMIC", "HTTP", "HTTP", "HTTP", "HTTP", "JOIN"], `names are ${named ? "there" : "left out"}`);
  }
});

test("many branches are one node that counts them, until it is opened", () => {
  const { shape, tallies, edges, taken } = run(FAN, fanned(1000, false));
  assert.deepEqual(tallies.get("group:task:fan"), { branches: 1000, done: 995, failed: 3, open: 2 });
  assert.deepEqual(edges.map(({ from, to }) => `${from}>${to}`), ["start>task:fan", "task:fan>group:task:fan", "group:task:fan>task:join", "task:join>end"]);
  assert.equal(taken.length, 3);
  assert.equal(place(shape, SIZE, new Set()).places.has("task:job_7"), false);
  const opened = place(shape, SIZE, new Set(["group:task:fan"]));
  assert.ok(opened.places.has("task:job_7") && opened.width < opened.height * 4);
});

test("nothing lies upon anything, branches stand in their order, and a run goes downwards", () => {
  const many = Array.from({ length: 7 }, (_, index) => [step(`p${index}`), ...(index % 2 ? [step(`q${index}`)] : [])]);
  const nested = step("outer", "FORK_JOIN", { forkTasks: [[CHOICE], [LOOP], ...many] });
  const shape = shapeOf(definition(nested, step("join", "JOIN", { joinOn: ["route", "loop"] }), step("end")));
  const { places, frames, width, height } = place(shape, SIZE, new Set());
  const boxes = [...places].filter(([id]) => id !== "task:loop").map(([, box]) => box);
  boxes.forEach((one, index) => {
    assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height);
    for (const other of boxes.slice(index + 1)) {
      const apart = one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
      assert.ok(apart, JSON.stringify([one, other]));
    }
  });
  assert.ok(frames.has("task:loop"));
  assert.ok([0, 1, 2, 3, 4, 5].every((index) => places.get(`task:p${index}`)!.x < places.get(`task:p${index + 1}`)!.x));
  for (const edge of flowOf(shape)) assert.ok(places.get(edge.from)!.y < places.get(edge.to)!.y);
  assert.ok(places.get(START)!.y < places.get(END)!.y);
});

test("a thousand tasks are placed quickly", () => {
  const line = (name: string, length: number) => Array.from({ length }, (_, index) => step(`${name}_${index}`));
  const choice = (index: number) => [
    step(`s${index}`, "SWITCH", { decisionCases: { a: line(`a${index}`, 1 + (index % 3)), b: line(`b${index}`, 1 + (index % 5)) } }),
    ...line(`t${index}`, 4),
  ];
  for (const [choices, most] of [[10, 300], [100, 1500]] as const) {
    const before = process.cpuUsage(); // not the clock: a machine may have other things to do
    const shape = shapeOf(definition(...Array.from({ length: choices }, (_, index) => choice(index)).flat()));
    flowOf(shape);
    place(shape, SIZE, new Set());
    const took = process.cpuUsage(before).user / 1000;
    assert.ok(took < most, `${[...nodesOf(shape)].length} tasks took ${took} ms`);
  }
});

test("zooming keeps what is under the hand where it is, and what is revealed comes into view", () => {
  const window = { width: 800, height: 600 };
  const whole = fit({ width: 400, height: 6_000 }, window);
  assert.ok(whole.scale < 0.1 && contains(shown(whole, window), { x: 0, y: 0, width: 400, height: 6_000 }));
  const under = (sight: Sight) => [(100 - sight.x) / sight.scale, (50 - sight.y) / sight.scale].map(Math.round);
  assert.deepEqual(under(zoomed(whole, 3, { x: 100, y: 50 })), under(whole));
  const far = { x: 100, y: 5_000, width: 200, height: 60 };
  const near = revealing(far, whole, window);
  assert.ok(contains(shown(near, window), far) && near.scale > 0.5, "also large enough to be read");
  assert.equal(revealing(far, near, window), near);
  assert.equal(fit({ width: 0, height: 0 }, window).scale, 1);
});

test("an edge goes straight down and aside just above where it leads", () => {
  const shape = shapeOf(definition(CHOICE, step("after")));
  const placed = place(shape, SIZE, new Set());
  const lines = flowOf(shape).map((edge) => routeOf(edge, placed)!.line);
  assert.match(lines[0]!, /^M[\d.]+ [\d.]+L[\d.]+ [\d.]+$/);
  assert.match(lines[5]!, /^M[\d. ]+V[\d.]+C[\d. ]+V[\d.]+C[\d. ]+$/, "past the empty case");
});

test("a node tells how it stands", () => {
  const tally = { branches: 1000, done: 940, failed: 3, open: 57 };
  assert.equal(tallyWords(tally), "940 done, 3 failed, 57 open");
  assert.equal(tallyWords({ ...tally, taken: null }), "taken: default");
  const state = { status: "IN_PROGRESS", attempts: 2, polls: 37, iterations: 0, iteration: 0 };
  assert.equal(standingOf(state), "in progress, 37 polls, attempt 2");
  assert.equal(clipped("日本語のとても長い名前", 10), "日本語の…");
  assert.equal(clipped("short", 10), "short");
});
