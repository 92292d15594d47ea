import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkflowDef } from "../src/conductor/types.ts";
import { answersOf, begun } from "../src/pages/dry_run/script.ts";

const poll = { http_request: { uri: "u", terminationCondition: "$.output.response.body.state === 'SUCCEEDED' || $.output.response.body.state === 'FAILED'" } };
const DEFINITION: WorkflowDef = {
  name: "w",
  version: 1,
  tasks: [
    { name: "submit", taskReferenceName: "submit", type: "HTTP" },
    { name: "s", taskReferenceName: "s", type: "SWITCH", decisionCases: { a: [{ name: "p", taskReferenceName: "p", type: "HTTP_POLL", inputParameters: poll }] } },
  ],
};

test("a script begins with what the condition looks for", () => {
  const scripts = begun(DEFINITION);
  assert.deepEqual(scripts.map(({ taskReferenceName }) => taskReferenceName), ["submit", "p"]);
  assert.deepEqual(scripts[1]?.lines.map(({ body, times }) => [body, times]), [['{"state":"RUNNING"}', "2"], ['{"state":"SUCCEEDED"}', ""]]);
});

test("lines become answers", () => {
  const line = { statusCode: "503", body: "not json", retryAfter: "120", times: "3" };
  assert.deepEqual(answersOf([{ taskReferenceName: "p", type: "HTTP_POLL", lines: [line] }]), [
    { taskReferenceName: "p", responses: [{ statusCode: 503, body: "not json", headers: { "Retry-After": "120" }, times: 3 }] },
  ]);
});

test("a line that cannot be is named", () => {
  const line = { statusCode: "9", body: "", retryAfter: "", times: "" };
  assert.throws(() => answersOf([{ taskReferenceName: "p", type: "HTTP", lines: [line] }]), /p, answer 1: the status must be between/);
  assert.throws(() => answersOf([{ taskReferenceName: "p", type: "HTTP", lines: [{ ...line, statusCode: "200", times: "-1" }] }]), /how often/);
});
