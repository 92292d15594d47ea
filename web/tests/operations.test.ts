import assert from "node:assert/strict";
import { test } from "node:test";
import { TASK_STATUSES, type Task, WORKFLOW_STATUSES } from "../src/conductor/types.ts";
import { taskOperations } from "../src/pages/execution/task_operations.ts";

const task = (taskType: string, status: Task["status"], type = taskType): Task => ({
  taskId: "t",
  taskType,
  referenceTaskName: "r",
  status,
  workflowTask: { name: "n", taskReferenceName: "r", type },
});

test("a poll that waits can be made now, but not while the run is held", () => {
  assert.deepEqual(taskOperations("RUNNING", task("HTTP_POLL", "IN_PROGRESS")), ["poll-now"]);
  assert.deepEqual(taskOperations("PAUSED", task("HTTP_POLL", "IN_PROGRESS")), []);
  assert.deepEqual(taskOperations("RUNNING", task("HTTP_POLL", "SCHEDULED")), []);
});

test("people, waits and workers' tasks are ended by hand", () => {
  for (const kind of ["HUMAN", "WAIT"]) assert.deepEqual(taskOperations("RUNNING", task(kind, "IN_PROGRESS")), ["complete"]);
  assert.deepEqual(taskOperations("RUNNING", task("resize", "SCHEDULED", "SIMPLE")), ["complete"]);
  assert.deepEqual(taskOperations("RUNNING", task("SUB_WORKFLOW", "IN_PROGRESS")), []);
});

test("what was not reached can be skipped, what has ended can be run again", () => {
  assert.deepEqual(taskOperations("RUNNING", undefined), ["skip"]);
  assert.deepEqual(taskOperations("FAILED", undefined), []);
  for (const status of WORKFLOW_STATUSES.filter((one) => one !== "RUNNING" && one !== "PAUSED"))
    for (const of of TASK_STATUSES) assert.deepEqual(taskOperations(status, task("HTTP", of)), ["rerun"]);
});
