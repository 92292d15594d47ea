import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkflowDef } from "../src/conductor/types.ts";
import { plain } from "../src/pages/definitions/plain.ts";

test("what the server filled in goes, data stays as it is", () => {
  const step = { name: "s", taskReferenceName: "s", type: "SIMPLE", inputParameters: { optional: false, list: [] }, optional: false, joinOn: [], startDelay: 0 };
  const definition = { name: "w", version: 1, createTime: 5, updateTime: 0, variables: {}, tasks: [{ ...step, type: "SWITCH", decisionCases: { a: [step] } }] };
  const bare = { name: "s", taskReferenceName: "s", type: "SIMPLE", inputParameters: { optional: false, list: [] } };
  assert.deepEqual(plain(definition as unknown as WorkflowDef), { name: "w", version: 1, tasks: [{ ...bare, type: "SWITCH", decisionCases: { a: [bare] } }] });
});

test("a case that is called like a field is a case", () => {
  const definition = { name: "w", version: 1, tasks: [{ name: "s", taskReferenceName: "s", type: "SWITCH", decisionCases: { optional: [] } }] };
  assert.deepEqual(plain(definition as unknown as WorkflowDef), definition);
});
