import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, stepsOf } from "../src/editor/place.ts";

const TEXT = `{
  "name": "w",
  "tasks": [
    {"type": "A"},
    {
      "inputParameters": {
        "uri": "x",
        "odd.name": 1
      }
    }
  ]
}`;

const shown = (path: string) => {
  const { from, to } = placeOf(TEXT, path);
  return TEXT.slice(from, to);
};

test("a path is read in steps", () => {
  assert.deepEqual(stepsOf("tasks[0].decisionCases.a[12].b"), ["tasks", 0, "decisionCases", "a", 12, "b"]);
  assert.deepEqual(stepsOf('a["odd.name"]'), ["a", "odd.name"]);
  assert.deepEqual(stepsOf(""), []);
});

test("a path leads to its member", () => {
  assert.equal(shown("name"), '"name": "w"');
  assert.equal(shown("tasks[0]"), '{"type": "A"}');
  assert.equal(shown("tasks[1].inputParameters.uri"), '"uri": "x"');
  assert.equal(shown('tasks[1].inputParameters["odd.name"]'), '"odd.name": 1');
});

test("a place is plain numbers, whatever it is", () => {
  assert.deepEqual(Object.keys({ ...placeOf(TEXT, "tasks[1].defaultCase") }), ["from", "to"]);
  assert.equal(shown("tasks[1].defaultCase"), "{");
});

test("a member of many lines is marked on its first", () => assert.equal(shown("tasks"), '"tasks": ['));

test("what is not there is marked where it should be", () => {
  assert.equal(shown("tasks[1].inputParameters.method"), '"inputParameters": {');
  assert.equal(shown("nothing"), "{");
  assert.deepEqual(placeOf("", "a.b"), { from: 0, to: 0 });
  assert.deepEqual(placeOf("{ broken", "a"), { from: 0, to: 1 });
});
