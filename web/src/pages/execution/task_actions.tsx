// What can be done to one task of a run.
import { useState } from "preact/hooks";
import type { JsonObject, Task, Workflow } from "../../conductor/types.ts";
import { Act, withReason } from "../../parts/act.tsx";
import { ask } from "../../server/client.ts";
import { exactly } from "../../words/exact.ts";
import { taskOperations } from "./task_operations.ts";

interface Props {
  workflow: Workflow;
  reference: string;
  /** The task's latest attempt; absent while the run has not come to it. */
  task?: Task | undefined;
  again: () => void;
}

export function TaskActions(props: Props) {
  const operations = taskOperations(props.workflow.status, props.task);
  if (operations.length === 0) return null;
  return (
    <div class="buttons" role="group" aria-label="Actions on the task">
      {operations.map((operation) => {
        switch (operation) {
          case "poll-now":
            return <PollNow key={operation} {...props} />;
          case "complete":
            return <Complete key={operation} {...props} />;
          case "rerun":
            return <Rerun key={operation} {...props} />;
          case "skip":
            return <Skip key={operation} {...props} />;
        }
      })}
    </div>
  );
}

function PollNow({ task, again }: Props) {
  return (
    <Act
      label="Poll now"
      needs="operator"
      reason
      says={<p>The vendor is asked at once. It counts as a poll, and the next interval begins with it.</p>}
      run={(reason) => ask(`/api/tasks/${encodeURIComponent(task!.taskId)}/poll-now`, { method: "POST", body: withReason(reason) })}
      done={again}
    />
  );
}

function Rerun({ workflow, task, again }: Props) {
  const path = `/api/workflow/${encodeURIComponent(workflow.workflowId)}/rerun`;
  return (
    <Act
      label="Rerun from here"
      needs="operator"
      reason
      says={<p>The run goes on from this task. What came after it is forgotten; vendors may be called a second time.</p>}
      run={(reason) => ask(path, { method: "POST", body: { reRunFromTaskId: task!.taskId }, query: withReason(reason) })}
      done={again}
    />
  );
}

function Skip({ workflow, reference, again }: Props) {
  const path = `/api/workflow/${encodeURIComponent(workflow.workflowId)}/skiptask/${encodeURIComponent(reference)}`;
  return (
    <Act
      label="Skip"
      needs="operator"
      reason
      says={<p>{`When the run comes to ${reference}, it goes past it. What reads its output finds nothing.`}</p>}
      run={(reason) => ask(path, { method: "PUT", query: withReason(reason) })}
      done={again}
    />
  );
}

function Complete({ workflow, task, again }: Props) {
  const run = (reason: string, fields: FormData) => {
    const outcome = { workflowInstanceId: workflow.workflowId, taskId: task!.taskId, status: String(fields.get("status")) };
    const body = { ...outcome, outputData: outputIn(String(fields.get("output"))), ...(reason ? { reasonForIncompletion: reason } : {}) };
    return ask("/api/tasks", { method: "POST", body, query: withReason(reason) });
  };
  return <Act label="Complete" needs="operator" reason says={<Outcome />} run={run} done={again} />;
}

function Outcome() {
  const [status, setStatus] = useState("COMPLETED");
  return (
    <>
      <label>
        Outcome
        <select name="status" value={status} onInput={(event) => setStatus(event.currentTarget.value)}>
          <option value="COMPLETED">completed</option>
          <option value="FAILED">failed, retries as the task allows</option>
          <option value="FAILED_WITH_TERMINAL_ERROR">failed for good</option>
        </select>
      </label>
      <label>
        Output as JSON
        <textarea name="output" class="mono" rows={6} spellcheck={false}>
          {"{}"}
        </textarea>
      </label>
    </>
  );
}

function outputIn(text: string): JsonObject {
  const value: unknown = exactly(text || "{}");
  if (!value || typeof value !== "object" || Array.isArray(value)) throw new Error('The output must be an object, such as {"approved": true}.');
  return value as JsonObject;
}
