// The lines of the page of queues: depths and workers joined by the queue's name. Pure.
import type { PollData } from "../../conductor/standing_orders.ts";

export interface QueueLine {
  /** As the server names it: the task type, after `domain:` when it has one. */
  queue: string;
  taskType: string;
  domain?: string;
  depth: number;
  workers: readonly PollData[];
}

/** Deepest first, then by name. A queue that only workers know has depth 0. */
export function queueLines(depths: Readonly<Record<string, number>>, polls: readonly PollData[]): readonly QueueLine[] {
  const names = new Set([...Object.keys(depths), ...polls.map(nameOf)]);
  return [...names]
    .map((queue) => line(queue, depths[queue] ?? 0, polls.filter((poll) => nameOf(poll) === queue)))
    .sort((one, other) => other.depth - one.depth || one.queue.localeCompare(other.queue));
}

function nameOf({ queueName, domain }: PollData): string {
  return domain && !queueName.startsWith(`${domain}:`) ? `${domain}:${queueName}` : queueName;
}

function line(queue: string, depth: number, workers: readonly PollData[]): QueueLine {
  const colon = queue.indexOf(":");
  const newest = [...workers].sort((one, other) => other.lastPollTime - one.lastPollTime);
  if (colon < 0) return { queue, taskType: queue, depth, workers: newest };
  return { queue, taskType: queue.slice(colon + 1), domain: queue.slice(0, colon), depth, workers: newest };
}
