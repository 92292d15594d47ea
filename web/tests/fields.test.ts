import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkflowDef } from "../src/conductor/types.ts";
import { fieldsOf, inputOf } from "../src/pages/definitions/fields.ts";

const PLAIN: WorkflowDef = { name: "w", version: 1, tasks: [], inputParameters: ["id", "size"], inputTemplate: { size: 5, code: "007" } };
const SCHEMA: WorkflowDef = {
  name: "w",
  version: 1,
  tasks: [],
  inputSchema: {
    data: {
      required: ["id"],
      properties: {
        id: { type: "string", description: "whose" },
        size: { type: "integer", default: 3 },
        kind: { enum: ["csv", "json"] },
        fast: { type: "boolean" },
        more: { type: "object" },
      },
    },
  },
};

test("parameters without a schema take text or JSON, and begin with the template", () => {
  const begun = fieldsOf(PLAIN).map(({ name, kind, begun }) => [name, kind, begun]);
  assert.deepEqual(begun, [["id", "any", ""], ["size", "any", "5"], ["code", "any", "007"]]);
  assert.deepEqual(inputOf(fieldsOf(PLAIN), { id: "a-1" }), { id: "a-1", size: 5, code: "007" });
  assert.deepEqual(inputOf(fieldsOf(PLAIN), { id: '"5"', size: "" }), { id: "5", code: "007" });
});

test("a number that a browser would round is refused, not changed", () => {
  const [id] = fieldsOf(PLAIN);
  for (const text of ["12345678901234567890", '{"a": [-9007199254740993]}', "1" + "0".repeat(400)]) assert.throws(() => inputOf([id!], { id: text }), /more digits than a browser keeps/);
  for (const text of ["9007199254740991", "1e300", '{"a": "12345678901234567890"}', "10000000000000000", "0.12345678901234567890"]) {
    assert.deepEqual(inputOf([id!], { id: text }), { id: JSON.parse(text) });
  }
  const long = fieldsOf({ ...PLAIN, inputTemplate: { id: "12345678901234567890" } });
  assert.equal(inputOf(long, {})["id"], "12345678901234567890");
  assert.throws(() => inputOf(fieldsOf(SCHEMA), { id: "x", size: "12345678901234567890" }), /more digits/);
});

test("a text that reads as a number stays a text when it was one", () => {
  const [field] = fieldsOf({ name: "w", version: 1, tasks: [], inputTemplate: { id: "5" } });
  assert.equal(field?.begun, '"5"');
  assert.deepEqual(inputOf([field!], {}), { id: "5" });
});

test("a schema says what each field is", () => {
  const fields = fieldsOf(SCHEMA);
  assert.deepEqual(fields.map(({ kind }) => kind), ["text", "number", "choice", "boolean", "json"]);
  assert.deepEqual(inputOf(fields, { id: "7", kind: "csv", fast: "false", more: "[1]" }), { id: "7", size: 3, kind: "csv", fast: false, more: [1] });
});

test("what cannot be is refused by name", () => {
  const fields = fieldsOf(SCHEMA);
  assert.throws(() => inputOf(fields, {}), /id is needed/);
  assert.throws(() => inputOf(fields, { id: "x", size: "many" }), /size must be a number/);
  assert.throws(() => inputOf(fields, { id: "x", more: "{" }), /more must be JSON/);
});
