import assert from "node:assert/strict";
import { test } from "node:test";
import { length, relative } from "../src/words/time.ts";

const LENGTHS: readonly (readonly [number, string])[] = [
  [-5, "0 ms"],
  [850, "850 ms"],
  [42_900, "42 s"],
  [119_000, "119 s"],
  [37 * 60_000, "37 min"],
  [2 * 3_600_000 + 5 * 60_000, "2 h 5 min"],
  [3 * 3_600_000, "3 h"],
  [3 * 86_400_000 + 4 * 3_600_000, "3 d 4 h"],
];

test("a length has two units at most", () => {
  for (const [ms, words] of LENGTHS) assert.equal(length(ms), words);
});

test("a moment is told from the present", () => {
  assert.equal(relative(42_000, 0), "in 42 s");
  assert.equal(relative(0, 180_000), "3 min ago");
  assert.equal(relative(500, 0), "now");
});
