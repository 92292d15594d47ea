// What an unfinished run waits for, what its polls were, and what it cost: this server's own fields beside Conductor's.

export const PARTIES = ["WORKER", "PERSON", "SIGNAL", "UPDATE", "VENDOR", "TIME", "CHILD", "TASKS", "OPERATOR", "ENGINE"] as const;
export type Party = (typeof PARTIES)[number];

/** One thing that a run waits for. `dueTime`: when it moves, or gives up, by itself. Without a task it is about the run as a whole. */
export interface Awaited {
  readonly for: Party;
  readonly referenceTaskName?: string;
  readonly taskId?: string;
  /** The queue of a WORKER, the host of a VENDOR or an UPDATE, the id of a CHILD. */
  readonly name?: string;
  /** Of TASKS: their reference names, ten at most. */
  readonly tasks?: readonly string[];
  readonly workerId?: string;
  readonly lastPollTime?: number;
  readonly dueTime?: number;
  readonly remoteState?: string;
  readonly remoteStateSince?: number;
}

export const DECISIONS = ["AGAIN", "SLOW_DOWN", "ERROR", "DONE", "FAILED", "EXHAUSTED"] as const;
export type Decision = (typeof DECISIONS)[number];

/** A line of a task's poll ledger. Moments in epoch milliseconds. */
export interface Poll {
  readonly poll: number;
  readonly dueTime: number;
  readonly firedTime: number;
  readonly latenessMs: number;
  readonly latencyMs: number;
  /** Absent when no answer came. */
  readonly statusCode?: number;
  readonly decision: Decision;
  /** Absent after the last poll. */
  readonly nextDueTime?: number;
  /** What the vendor said its job's state was, where that was new. */
  readonly remoteState?: string;
}

export interface Cost {
  readonly polls: number;
  readonly requests: number;
  readonly invocations: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly usd: number;
  readonly pricesAsOf: string;
}

/** What somebody did to a run. */
export interface Operation {
  readonly time: number;
  readonly operation: string;
  readonly reason?: string;
  readonly by?: string;
  readonly taskReferenceName?: string;
}

export interface LogLine {
  readonly log: string;
  readonly taskId: string;
  readonly createdTime: number;
}
