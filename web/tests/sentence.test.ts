import assert from "node:assert/strict";
import { test } from "node:test";
import type { Awaited } from "../src/conductor/awaited.ts";
import type { Task, Workflow } from "../src/conductor/types.ts";
import { sentence } from "../src/words/sentence.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = new Date(2026, 10, 30, 14, 0, 0).getTime();
const AT_19_02 = new Date(2026, 10, 30, 19, 2, 0).getTime();

function run(fields: Partial<Workflow> = {}): Workflow {
  return { workflowId: "w", workflowName: "export", workflowVersion: 1, status: "RUNNING", startTime: NOW - 40 * MINUTE, ...fields };
}

function task(fields: Partial<Task> = {}): Task {
  return { taskId: "t", taskType: "HTTP_POLL", referenceTaskName: "await_job", status: "IN_PROGRESS", startTime: NOW - 37 * MINUTE, ...fields };
}

function poll(request: Task["inputData"] = {}, fields: Partial<Task> = {}): Task {
  const inputData = { http_request: { uri: "https://exports.example/v1/jobs/job-71c2", ...request } };
  return task({ inputData, pollCount: 37, nextPollTime: NOW + 42 * SECOND, callbackAfterSeconds: 60, ...fields });
}

const VENDOR: Awaited = { for: "VENDOR", taskId: "t", referenceTaskName: "await_job", name: "exports.example", dueTime: NOW + 42 * SECOND };
const RUNS_OUT: Awaited = { for: "TIME", dueTime: AT_19_02 };

function said(thing: Awaited | readonly Awaited[], ...tasks: readonly Task[]): string {
  return sentence(run({ waitingFor: [thing].flat() as Awaited[], tasks }), NOW);
}

test("a poll tells the job, the host, the state, the polls, the next look and the end", () => {
  const known: Awaited = { ...VENDOR, remoteState: "RUNNING", remoteStateSince: NOW - 37 * MINUTE };
  const deadline = (AT_19_02 - (NOW - 37 * MINUTE)) / SECOND;
  assert.equal(
    said(known, poll({ pollDeadlineSeconds: deadline })),
    "Waiting for job-71c2 at exports.example: RUNNING for 37 min, 37 polls, next look in 42 s, gives up at 19:02.",
  );
});

const ENDS: readonly (readonly [string, Task["inputData"], readonly Awaited[], string])[] = [
  ["the count, when nothing else ends it", { maxPollCount: 60 }, [], "gives up after 60 polls"],
  ["the default count", {}, [], "gives up after 1,000 polls"],
  ["a count written as text", { maxPollCount: "60" }, [], "gives up after 60 polls"],
  ["a count of nonsense is the default", { maxPollCount: "many" }, [], "gives up after 1,000 polls"],
  ["the run's own timeout, when it comes first", {}, [RUNS_OUT], "times out at 19:02"],
  ["the count, when it is used up before the run's timeout", { maxPollCount: 60 }, [RUNS_OUT], "gives up after 60 polls"],
  ["both, when waits grow", { maxPollCount: 60, pollingStrategy: "LINEAR_BACKOFF" }, [RUNS_OUT], "times out at 19:02 or after 60 polls"],
  ["the deadline, when it comes before the run's", { pollDeadlineSeconds: 3 * 3600 }, [RUNS_OUT], "gives up at 16:23"],
];

test("what ends a poll is what comes first", () => {
  for (const [what, request, more, end] of ENDS)
    assert.ok(said([...more, VENDOR], poll(request)).endsWith(`next look in 42 s, ${end}.`), `${what}: ${said([...more, VENDOR], poll(request))}`);
});

const LOOKS: readonly (readonly [Partial<Task>, string])[] = [
  [{ pollCount: 0 }, "not looked at yet, next look in 42 s"],
  [{ pollCount: 1 }, "for 37 min, 1 poll, next look in 42 s"],
  [{ pollCount: 1204 }, "for 37 min, 1,204 polls, next look in 42 s"],
  [{ nextPollTime: NOW }, "for 37 min, 37 polls, next look due now"],
  [{ nextPollTime: NOW - 30 * SECOND }, "for 37 min, 37 polls, next look due now"],
  [{ nextPollTime: NOW - 10 * MINUTE }, "for 37 min, 37 polls, next look late by 10 min"],
];

test("a look is due, late, or not yet made", () => {
  for (const [fields, words] of LOOKS) assert.equal(said(VENDOR, poll({}, fields)), `Waiting for job-71c2 at exports.example: ${words}, gives up after 1,000 polls.`);
});

const JOBS: readonly (readonly [string, string])[] = [
  ["https://exports.example/v1/jobs/job-71c2/status", "job-71c2"],
  ["https://exports.example/v2/exports/9001?token=s3cret", "9001"],
  ["https://exports.example/v1/status", "await_job"],
  ["https://exports.example", "await_job"],
  ["https://10.0.0.1:8080/status#1", "await_job"],
  ["https://exports.example/jobs/job%2071", "job 71"],
  ["https://exports.example/jobs/%zz9", "%zz9"],
  ["nonsense", "await_job"],
  ["https://exports.example/${workflow.secrets.TOKEN_1}", "await_job"],
];

test("a job is named by its address, and by its task where that names none", () => {
  for (const [uri, job] of JOBS) assert.ok(said(VENDOR, poll({ uri })).startsWith(`Waiting for ${job} at exports.example: `), said(VENDOR, poll({ uri })));
});

test("a poll whose input was left out for its size is told by its name", () => {
  assert.ok(said(VENDOR, task({ inputDataSize: 5_000_000, pollCount: 2 })).startsWith("Waiting for await_job at exports.example: for 37 min, 2 polls, "));
});

const OTHERS: readonly (readonly [Awaited["for"], Partial<Awaited>, Partial<Task>, string])[] = [
  ["VENDOR", { name: "api.example" }, { taskType: "HTTP", startTime: NOW - 3 * SECOND }, "api.example to answer step: asked 3 s ago"],
  ["VENDOR", { name: "api.example" }, { taskType: "HTTP", status: "SCHEDULED", startTime: 0 }, "api.example to answer step"],
  ["VENDOR", {}, { taskType: "HTTP", startTime: 0 }, "its vendor to answer step"],
  [
    "VENDOR",
    { name: "api.example", dueTime: NOW + 30 * SECOND },
    { taskType: "HTTP", status: "SCHEDULED", retryCount: 1 },
    "another try of step at api.example: attempt 2, at 14:00, in 30 s",
  ],
  [
    "VENDOR",
    { name: "api.example", remoteState: "PENDING" },
    { taskType: "AIRPIPE_HTTP", pollCount: 2, nextPollTime: NOW + 5 * SECOND },
    "step at api.example: PENDING, 2 polls, next look in 5 s",
  ],
  ["UPDATE", { name: "api.example" }, {}, "api.example to report the end of step: for 37 min"],
  ["UPDATE", {}, {}, "somebody to report the end of step: for 37 min"],
  ["WORKER", { name: "step" }, {}, "a worker to take step: for 37 min, no worker has asked for it yet"],
  ["WORKER", { name: "resize", lastPollTime: NOW - 5 * SECOND }, {}, "a worker of resize to take step: for 37 min, a worker asked 5 s ago"],
  ["WORKER", { name: "resize", workerId: "w-1", dueTime: AT_19_02 }, {}, "worker w-1 to finish step: for 37 min, times out at 19:02"],
  [
    "WORKER",
    { name: "step", dueTime: NOW + 20 * SECOND },
    { status: "SCHEDULED", startTime: 0, updateTime: NOW - 10 * SECOND, callbackAfterSeconds: 30 },
    "a worker to take step: offered to workers in 20 s",
  ],
  ["PERSON", {}, { taskType: "HUMAN", startTime: NOW - 50 * HOUR }, "somebody to complete step: for 2 d 2 h"],
  ["PERSON", { dueTime: AT_19_02 }, { taskType: "HUMAN" }, "somebody to complete step: for 37 min, times out at 19:02"],
  ["SIGNAL", {}, { taskType: "WAIT" }, "a signal to end step: for 37 min"],
  ["TIME", { dueTime: AT_19_02 }, { taskType: "WAIT" }, "the end of step: at 19:02, in 5 h 2 min"],
  ["TIME", { dueTime: NOW - 1 }, { taskType: "WAIT" }, "the end of step: due now"],
  ["CHILD", { name: "8a41", dueTime: NOW + MINUTE }, { taskType: "SUB_WORKFLOW" }, "the sub-workflow step to finish: for 37 min"],
  ["TASKS", { tasks: ["a"] }, { taskType: "JOIN" }, "a to finish"],
  ["TASKS", { tasks: ["a", "b"] }, { taskType: "JOIN" }, "a and b to finish"],
  ["TASKS", { tasks: ["a", "b", "c", "d", "e"] }, { taskType: "JOIN" }, "a, b and 3 more to finish"],
  ["TASKS", {}, { taskType: "JOIN" }, "the tasks of step to finish"],
  ["ENGINE", {}, { taskType: "SWITCH" }, "the engine to take the next step at step"],
];

test("every party is told with what is known of it", () => {
  for (const [party, thing, fields, words] of OTHERS) {
    const awaited: Awaited = { for: party, taskId: "t", referenceTaskName: "step", ...thing };
    assert.equal(said(awaited, task({ referenceTaskName: "step", ...fields })), `Waiting for ${words}.`);
  }
});

test("a task that is not among the shown ones is still told", () => {
  assert.equal(said({ for: "PERSON", referenceTaskName: "approve", taskId: "gone" }), "Waiting for somebody to complete approve.");
});

test("a run that waits for nothing outside is about to move", () => {
  assert.equal(said([]), "Running: the engine is about to take the next step.");
  assert.equal(sentence(run(), NOW), "Running: the engine is about to take the next step.");
  assert.equal(said(RUNS_OUT), "Running: the engine is about to take the next step; the run times out at 19:02.");
});

const APPROVE: Awaited = { for: "PERSON", taskId: "h", referenceTaskName: "approve" };
const HUMAN = task({ taskId: "h", taskType: "HUMAN", referenceTaskName: "approve", startTime: NOW - HOUR });

test("a few things are told one by one, what only joins them is left out", () => {
  const joins: Awaited = { for: "TASKS", taskId: "j", referenceTaskName: "join", tasks: ["await_job", "approve"] };
  assert.equal(
    said([RUNS_OUT, VENDOR, APPROVE, joins], poll(), HUMAN),
    "Waiting for 2 things: job-71c2 at exports.example (for 37 min, 37 polls, next look in 42 s); somebody to complete approve (for 1 h); the run times out at 19:02.",
  );
});

test("of many things those alike are told together, the largest group first", () => {
  const polls = [1, 2, 3].map((each): Awaited => ({ ...VENDOR, taskId: `p${each}`, dueTime: NOW + each * 10 * SECOND }));
  const taken = [1, 2, 3, 4].map((each): Awaited => ({ for: "WORKER", taskId: `w${each}`, referenceTaskName: `r${each}`, name: "resize" }));
  const children = ["a", "b"].map((each): Awaited => ({ for: "CHILD", taskId: each, referenceTaskName: each, name: each }));
  assert.equal(
    said([APPROVE, ...polls, ...taken, ...children], HUMAN),
    "Waiting for 10 things: 4 tasks for workers of resize; 3 answers of exports.example (the next look in 10 s); 2 sub-workflows; somebody to complete approve (for 1 h).",
  );
});

test("of very many kinds only the largest are told", () => {
  const kinds = [5, 4, 3, 2, 1, 1].flatMap((many, kind) => Array.from({ length: many }, (_, index): Awaited => ({ for: "WORKER", taskId: `${kind} ${index}`, name: `q${kind}` })));
  assert.equal(said(kinds), "Waiting for 16 things: 5 tasks for workers of q0; 4 tasks for workers of q1; 3 tasks for workers of q2; and 4 more.");
});

test("a paused run says so, and what is still open", () => {
  const paused = (waitingFor: readonly Awaited[], tasks: readonly Task[] = []) => sentence(run({ status: "PAUSED", waitingFor, tasks }), NOW);
  assert.equal(paused([{ for: "OPERATOR" }]), "Paused: nothing new begins until somebody resumes it.");
  assert.equal(paused([{ for: "OPERATOR", dueTime: AT_19_02 }]), "Paused: nothing new begins until somebody resumes it. The run times out at 19:02.");
  assert.equal(
    paused([{ for: "OPERATOR" }, VENDOR], [poll()]),
    "Paused: nothing new begins until somebody resumes it. Meanwhile waiting for job-71c2 at exports.example: for 37 min, 37 polls, next look in 42 s, gives up after 1,000 polls.",
  );
});

const LONG_AGO = { startTime: NOW - 4 * HOUR - 12 * MINUTE, endTime: NOW };
const OVER: readonly (readonly [string, Partial<Workflow>, string])[] = [
  ["finished", { status: "COMPLETED", ...LONG_AGO, tasks: [poll({}, { pollCount: 60, status: "COMPLETED" })] }, "Finished in 4 h 12 min after 60 polls."],
  ["finished without polls", { status: "COMPLETED", startTime: NOW - 850, endTime: NOW, tasks: [task({ taskType: "SIMPLE", pollCount: 9 })] }, "Finished in 850 ms."],
  ["finished, nobody knows when", { status: "COMPLETED" }, "Finished."],
  [
    "failed at a task",
    { status: "FAILED", ...LONG_AGO, reasonForIncompletion: "the vendor answered 500", tasks: [poll({}, { status: "FAILED" })] },
    "Failed after 4 h 12 min and 37 polls at await_job: the vendor answered 500.",
  ],
  [
    "failed: an attempt that was tried again is not where it broke",
    { status: "FAILED", ...LONG_AGO, tasks: [task({ taskType: "HTTP", status: "FAILED", retried: true, reasonForIncompletion: "no" })] },
    "Failed after 4 h 12 min.",
  ],
  [
    "failed with the task's own reason",
    { status: "FAILED", ...LONG_AGO, tasks: [task({ taskType: "HTTP", status: "FAILED_WITH_TERMINAL_ERROR", reasonForIncompletion: "bad gateway." })] },
    "Failed after 4 h 12 min at await_job: bad gateway.",
  ],
  [
    "failed by a task that the reason names by its id",
    { status: "FAILED", reasonForIncompletion: "FAILED by TERMINATE task: ea558870-2217-50f2-bc3e-bdf3796698f5", tasks: [task({ taskId: "ea558870-2217-50f2-bc3e-bdf3796698f5", taskType: "TERMINATE", referenceTaskName: "give_up$&", status: "COMPLETED" })] },
    "Failed: FAILED by TERMINATE task: give_up$&.",
  ],
  ["timed out", { status: "TIMED_OUT", ...LONG_AGO, reasonForIncompletion: "Workflow timed out after 60 seconds." }, "Timed out after 4 h 12 min: Workflow timed out after 60 seconds."],
  ["terminated", { status: "TERMINATED", ...LONG_AGO, reasonForIncompletion: "not needed" }, "Terminated after 4 h 12 min: not needed."],
  ["terminated without a word", { status: "TERMINATED", ...LONG_AGO }, "Terminated after 4 h 12 min: no reason was given."],
  ["polls without an end", { status: "TERMINATED", tasks: [poll()] }, "Terminated after 37 polls: no reason was given."],
  ["a status of another day", { status: "SLEEPING" as Workflow["status"] }, "This run is SLEEPING."],
];

test("a run that is over says how, when and why", () => {
  for (const [what, fields, words] of OVER) assert.equal(sentence(run(fields), NOW), words, what);
});

test("text from outside stays one line of bounded length and turns no writing round", () => {
  const reason = `line one\n\tline two \u202eevil ${"x".repeat(1000)}`;
  const words = sentence(run({ status: "FAILED", reasonForIncompletion: reason }), NOW);
  assert.ok(words.startsWith("Failed: line one line two evil xxx"), words);
  assert.ok(words.length < 260 && words.endsWith("x…"), String(words.length));
});
