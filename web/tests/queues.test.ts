import assert from "node:assert/strict";
import { test } from "node:test";
import { queueLines } from "../src/pages/queues/lines.ts";

test("a queue that only workers know is there, with nothing waiting", () => {
  const [line] = queueLines({}, [{ queueName: "resize", workerId: "w1", lastPollTime: 5 }]);
  assert.deepEqual(line, { queue: "resize", taskType: "resize", depth: 0, workers: [{ queueName: "resize", workerId: "w1", lastPollTime: 5 }] });
});

test("the deepest comes first, a domain is told apart", () => {
  const lines = queueLines({ a: 1, "eu:a": 7 }, [
    { queueName: "a", domain: "eu", workerId: "old", lastPollTime: 1 },
    { queueName: "a", domain: "eu", workerId: "new", lastPollTime: 2 },
  ]);
  assert.deepEqual(lines.map(({ taskType, domain, depth }) => [taskType, domain, depth]), [["a", "eu", 7], ["a", undefined, 1]]);
  assert.deepEqual(lines[0]?.workers.map(({ workerId }) => workerId), ["new", "old"]);
});
