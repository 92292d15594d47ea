// Conductor's JSON as this server answers it, spelled as there. Only what the pages read.

import type { Awaited } from "./awaited.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const WORKFLOW_STATUSES = ["RUNNING", "PAUSED", "COMPLETED", "FAILED", "TIMED_OUT", "TERMINATED"] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

export const TASK_STATUSES = [
  "SCHEDULED",
  "IN_PROGRESS",
  "COMPLETED",
  "COMPLETED_WITH_ERRORS",
  "FAILED",
  "FAILED_WITH_TERMINAL_ERROR",
  "TIMED_OUT",
  "CANCELED",
  "SKIPPED",
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** One step of a definition. */
export interface WorkflowTask {
  readonly name: string;
  readonly taskReferenceName: string;
  readonly type: string;
  readonly description?: string;
  readonly inputParameters?: JsonObject;
  readonly optional?: boolean;
  readonly decisionCases?: Readonly<Record<string, readonly WorkflowTask[]>>;
  readonly defaultCase?: readonly WorkflowTask[];
  readonly forkTasks?: readonly (readonly WorkflowTask[])[];
  readonly loopOver?: readonly WorkflowTask[];
  readonly joinOn?: readonly string[];
  readonly expression?: string;
  readonly caseValueParam?: string;
  readonly loopCondition?: string;
  readonly subWorkflowParam?: { readonly name?: string; readonly version?: number | string };
}

export interface WorkflowDef {
  readonly name: string;
  readonly version: number;
  readonly description?: string;
  readonly tasks: readonly WorkflowTask[];
  readonly inputParameters?: readonly string[];
  readonly inputTemplate?: JsonObject;
  readonly inputSchema?: { readonly name?: string; readonly type?: string; readonly data?: JsonObject };
  readonly outputParameters?: JsonObject;
  readonly ownerEmail?: string;
  readonly updateTime?: number;
  readonly createTime?: number;
}

/** A task of a run. With `summarize=true` a large payload is left out and its `...Size` in bytes stands beside. */
export interface Task {
  readonly taskId: string;
  readonly taskType: string;
  readonly taskDefName?: string;
  readonly referenceTaskName: string;
  readonly status: TaskStatus;
  readonly retryCount?: number;
  readonly retriedTaskId?: string;
  readonly retried?: boolean;
  readonly seq?: number;
  readonly iteration?: number;
  readonly pollCount?: number;
  readonly callbackAfterSeconds?: number;
  readonly nextPollTime?: number;
  readonly startDelayInSeconds?: number;
  readonly queueWaitTime?: number;
  readonly scheduledTime?: number;
  readonly startTime?: number;
  readonly updateTime?: number;
  readonly endTime?: number;
  readonly reasonForIncompletion?: string;
  readonly workerId?: string;
  readonly domain?: string;
  readonly subWorkflowId?: string;
  readonly inputData?: JsonObject;
  readonly inputDataSize?: number;
  readonly outputData?: JsonObject;
  readonly outputDataSize?: number;
  readonly workflowTask?: WorkflowTask;
  readonly workflowInstanceId?: string;
}

export interface Workflow {
  readonly workflowId: string;
  readonly workflowName: string;
  readonly workflowVersion: number;
  readonly status: WorkflowStatus;
  readonly createTime?: number;
  readonly startTime?: number;
  readonly updateTime?: number;
  readonly endTime?: number;
  readonly correlationId?: string;
  readonly reasonForIncompletion?: string;
  readonly waitingFor?: readonly Awaited[];
  readonly parentWorkflowId?: string;
  readonly parentWorkflowTaskId?: string;
  readonly input?: JsonObject;
  readonly inputSize?: number;
  readonly output?: JsonObject;
  readonly outputSize?: number;
  readonly variables?: JsonObject;
  readonly variablesSize?: number;
  readonly tasks?: readonly Task[];
  readonly workflowDefinition?: WorkflowDef;
}

/** A line of the list of runs. Times are ISO text there, as in Conductor. */
export interface WorkflowSummary {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly version: number;
  readonly status: WorkflowStatus;
  readonly startTime?: string;
  readonly updateTime?: string;
  readonly endTime?: string;
  readonly correlationId?: string;
  readonly reasonForIncompletion?: string;
  readonly executionTime?: number;
}

/** What a run waits for, as `/api/executions/waiting` tells it. */
export interface Waiting {
  readonly workflowId: string;
  readonly status: WorkflowStatus;
  readonly waitingFor?: readonly Awaited[];
  readonly openTasks?: number;
  readonly taskId?: string;
  readonly taskReferenceName?: string;
  readonly taskType?: string;
  readonly host?: string;
  readonly remoteState?: string;
  readonly pollCount?: number;
  readonly maxPollCount?: number;
  readonly since?: number;
  readonly lastPollTime?: number;
  readonly nextPollTime?: number;
  readonly until?: number;
}
