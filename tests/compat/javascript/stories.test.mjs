// What users do with the official JavaScript client. `node --test` runs it against CONDUCTOR_SERVER_URL.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { OrkesClients, TaskManager, simpleTask, waitTaskDuration } from "@io-orkes/conductor-javascript";

const quiet = { info() {}, debug() {}, error() {}, warn() {} };
let workflows, tasks, metadata, schedules, events, manager;

async function eventually(look, good) {
  let seen = await look();
  for (const pause of [10, 20, 50, 100, 200, 500, 1000, 2000, 4000]) {
    if (good(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, pause));
    seen = await look();
  }
  assert.ok(good(seen), JSON.stringify(seen));
  return seen;
}

async function defined(name, steps, more = {}) {
  await metadata.registerWorkflowDef({ name, version: 1, schemaVersion: 2, timeoutSeconds: 0, tasks: steps, inputParameters: [], ...more }, true);
}

const ended = (id) => eventually(() => workflows.getWorkflow(id, true), (run) => run.status !== "RUNNING");

before(async () => {
  const clients = await OrkesClients.from({ serverUrl: process.env.CONDUCTOR_SERVER_URL });
  [workflows, tasks, metadata] = [clients.getWorkflowClient(), clients.getTaskClient(), clients.getMetadataClient()];
  [schedules, events] = [clients.getSchedulerClient(), clients.getEventClient()];
  const workers = [
    { taskDefName: "js_double", execute: async ({ inputData }) => ({ status: "COMPLETED", outputData: { doubled: inputData.n * 2 } }) },
    { taskDefName: "js_refuse", execute: async () => ({ status: "FAILED_WITH_TERMINAL_ERROR", outputData: {}, reasonForIncompletion: "never" }) },
  ];
  manager = new TaskManager(clients.getClient(), workers, { logger: quiet, options: { pollInterval: 20, concurrency: 2 } });
  manager.startPolling();
});

after(async () => {
  await manager.stopPolling();
  setTimeout(() => process.exit(), 100).unref(); // the client keeps its connections open
});

test("definitions are kept", async () => {
  await metadata.registerTask({ name: "js_task", timeoutSeconds: 60, responseTimeoutSeconds: 10, retryCount: 2 });
  await metadata.updateTask({ name: "js_task", timeoutSeconds: 60, responseTimeoutSeconds: 10, retryCount: 5 });
  assert.equal((await metadata.getTask("js_task")).retryCount, 5);
  await defined("js_kept", [simpleTask("t", "js_task", {})]);
  assert.equal((await metadata.getWorkflowDef("js_kept", 1)).tasks.length, 1);
  await metadata.unregisterWorkflow("js_kept", 1);
  await metadata.unregisterTask("js_task");
  await assert.rejects(metadata.getTask("js_task"));
});

test("workers finish a run", async () => {
  await defined("js_doubling", [simpleTask("d", "js_double", { n: "${workflow.input.n}" })], { outputParameters: { r: "${d.output.doubled}" } });
  const runs = await Promise.all([1, 2, 3].map((n) => workflows.startWorkflowByName("js_doubling", { n }, 1, `js-${n}`)));
  const results = await Promise.all(runs.map(ended));
  assert.deepEqual(results.map((run) => [run.status, run.output.r]), [["COMPLETED", 2], ["COMPLETED", 4], ["COMPLETED", 6]]);
});

test("a worker that refuses ends the run, and an operator tries again", async () => {
  await defined("js_refused", [simpleTask("r", "js_refuse", {})]);
  const run = await workflows.startWorkflow({ name: "js_refused", version: 1, input: {} });
  assert.equal((await ended(run)).status, "FAILED");
  await workflows.retry(run, false);
  assert.equal((await ended(run)).status, "FAILED");
  await workflows.restart(run, true);
  assert.equal((await ended(run)).status, "FAILED");
  await workflows.reRun(run, {});
  assert.equal((await ended(run)).status, "FAILED");
  await workflows.deleteWorkflow(run);
});

test("a run is executed while the caller waits", async () => {
  await defined("js_executed", [simpleTask("d", "js_double", { n: 4 })]);
  const run = await workflows.executeWorkflow({ name: "js_executed", version: 1, input: {} }, "js_executed", 1, "request-1");
  assert.equal(run.status, "COMPLETED");
});

test("an operator steers a run", async () => {
  await defined("js_steered", [simpleTask("a", "js_nobody", {}), simpleTask("b", "js_nobody", {})]);
  const run = await workflows.startWorkflow({ name: "js_steered", version: 1, input: {}, correlationId: "js-steered" });
  await workflows.pause(run);
  assert.equal((await workflows.getWorkflowStatus(run, false, false)).status, "PAUSED");
  await workflows.resume(run);
  await workflows.skipTasksFromWorkflow(run, "b", { taskOutput: { skipped: true } });
  const [first] = (await workflows.getExecution(run)).tasks;
  await tasks.addTaskLog(first.taskId, 'a "log"');
  assert.equal((await tasks.getTaskLogs(first.taskId)).length, 1);
  assert.equal((await tasks.getTask(first.taskId)).referenceTaskName, "a");
  const over = await workflows.updateTaskSync("a", run, "COMPLETED", { by: "hand" });
  assert.equal(over.status, "COMPLETED");
  const found = await workflows.getByCorrelationIds({ workflowNames: ["js_steered"], correlationIds: ["js-steered"] }, true);
  assert.equal(found["js-steered"][0].workflowId, run);
  await eventually(() => workflows.search(0, 10, "workflowType = 'js_steered'", "*"), (page) => page.results.length === 1);
});

test("a waiting run is signalled", async () => {
  await defined("js_waiting", [{ name: "w", taskReferenceName: "w", type: "WAIT" }, waitTaskDuration("nap", "1 seconds")]);
  const run = await workflows.startWorkflow({ name: "js_waiting", version: 1, input: {} });
  await workflows.signal(run, "COMPLETED", { approved: true });
  assert.equal((await ended(run)).status, "COMPLETED");
  const stopped = await workflows.startWorkflow({ name: "js_waiting", version: 1, input: {} });
  await workflows.terminate(stopped, "enough");
  assert.equal((await workflows.getWorkflow(stopped, false)).status, "TERMINATED");
});

test("schedules and event handlers are kept", async () => {
  await defined("js_scheduled", [simpleTask("d", "js_double", { n: 1 })]);
  await schedules.saveSchedule({ name: "js-nightly", cronExpression: "0 0 3 * * ?", startWorkflowRequest: { name: "js_scheduled", version: 1 } });
  await schedules.pauseSchedule("js-nightly");
  await schedules.resumeSchedule("js-nightly");
  assert.equal((await schedules.getSchedule("js-nightly")).name, "js-nightly");
  await schedules.deleteSchedule("js-nightly");
  const action = { action: "start_workflow", start_workflow: { name: "js_scheduled", version: 1 } };
  await events.addEventHandler({ name: "js-handler", event: "conductor:js_scheduled:done", actions: [action], active: true });
  assert.equal((await events.getEventHandlersForEvent("conductor:js_scheduled:done")).length, 1);
  await events.removeEventHandler("js-handler");
});
