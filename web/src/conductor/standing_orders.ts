// Conductor's JSON of what starts runs by itself, and of the queues that workers take from. Only what the pages read.
import type { JsonObject } from "./types.ts";

export interface Schedule {
  readonly name: string;
  readonly description?: string;
  readonly cronExpression?: string;
  readonly cronSchedules?: readonly { readonly cronExpression: string; readonly zoneId?: string }[];
  readonly zoneId?: string;
  readonly paused?: boolean;
  readonly pausedReason?: string;
  readonly nextRunTime?: number;
  readonly scheduleStartTime?: number;
  readonly scheduleEndTime?: number;
  readonly startWorkflowRequest?: { readonly name?: string; readonly version?: number; readonly input?: JsonObject; readonly correlationId?: string };
}

export interface ScheduledRun {
  readonly executionId?: string;
  readonly scheduleName?: string;
  readonly scheduledTime?: number;
  readonly executionTime?: number;
  readonly workflowId?: string;
  readonly workflowName?: string;
  readonly state?: string;
  readonly reason?: string;
}

export interface EventAction {
  readonly action: string;
  readonly start_workflow?: { readonly name?: string; readonly version?: number };
  readonly complete_task?: { readonly workflowId?: string; readonly taskRefName?: string; readonly taskId?: string };
  readonly fail_task?: { readonly workflowId?: string; readonly taskRefName?: string; readonly taskId?: string };
  readonly terminate_workflow?: { readonly workflowId?: string };
  readonly update_workflow_variables?: { readonly workflowId?: string };
}

export interface EventHandler {
  readonly name: string;
  readonly event: string;
  readonly condition?: string;
  readonly evaluatorType?: string;
  readonly active?: boolean;
  readonly actions: readonly EventAction[];
}

export interface EventExecution {
  readonly id?: string;
  readonly messageId?: string;
  readonly name?: string;
  readonly action?: string;
  readonly status?: string;
  readonly created?: number;
  readonly output?: JsonObject;
}

/** A worker's last call for tasks of a kind. */
export interface PollData {
  readonly queueName: string;
  readonly domain?: string;
  readonly workerId?: string;
  readonly lastPollTime: number;
}
