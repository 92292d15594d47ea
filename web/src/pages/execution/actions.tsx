// What can be done to a run as a whole, in each of its states.
import { useLocation } from "preact-iso";
import type { Workflow, WorkflowStatus } from "../../conductor/types.ts";
import { Act, withReason } from "../../parts/act.tsx";
import { ask } from "../../server/client.ts";
import { may } from "../../server/session.ts";
import { definitionAddress } from "../../shell/addresses.ts";

interface Props {
  workflow: Workflow;
  /** Look at the run again. */
  again: () => void;
}

type Operation = "pause" | "resume" | "terminate" | "retry" | "restart";

const POSSIBLE: Readonly<Record<WorkflowStatus, readonly Operation[]>> = {
  RUNNING: ["pause", "terminate"],
  PAUSED: ["resume", "terminate"],
  COMPLETED: ["restart"],
  FAILED: ["retry", "restart"],
  TIMED_OUT: ["retry", "restart"],
  TERMINATED: ["retry", "restart"],
};

/** The operations that a run of this status takes, in the order of their buttons. */
export function possible(status: WorkflowStatus): readonly Operation[] {
  return POSSIBLE[status] ?? [];
}

export function Actions({ workflow, again }: Props) {
  return (
    <div class="buttons" role="group" aria-label="Actions on the run">
      {possible(workflow.status).map((operation) => (
        <Action key={operation} operation={operation} workflow={workflow} again={again} />
      ))}
      <StartLike workflow={workflow} />
    </div>
  );
}

function Action({ operation, workflow, again }: Props & { operation: Operation }) {
  const path = `/api/workflow/${encodeURIComponent(workflow.workflowId)}`;
  const shared = { needs: "operator", reason: true, done: again } as const;
  switch (operation) {
    case "pause":
      return <Act {...shared} label="Pause" says={<p>What is under way ends, polls included; nothing new begins until it is resumed.</p>} run={(reason) => put(`${path}/pause`, reason)} />;
    case "resume":
      return <Act {...shared} label="Resume" says={<p>The run goes on where it stands.</p>} run={(reason) => put(`${path}/resume`, reason)} />;
    case "terminate":
      return (
        <Act
          {...shared}
          danger
          label="Terminate"
          says={<p>The run ends now, with its sub-workflows. The vendor's job is not told: it may go on.</p>}
          run={(reason) => ask(path, { method: "DELETE", query: withReason(reason) })}
        />
      );
    case "retry":
      return <Act {...shared} label="Retry" says={<Retry />} run={(reason, fields) => post(`${path}/retry`, reason, { resumeSubworkflowTasks: fields.has("inside") })} />;
    case "restart":
      return <Act {...shared} label="Restart" says={<Restart />} run={(reason, fields) => post(`${path}/restart`, reason, { useLatestDefinitions: fields.has("latest") })} />;
  }
}

function Retry() {
  return (
    <>
      <p>The tasks that failed are tried again. What was completed is kept.</p>
      <label>
        <input type="checkbox" name="inside" /> A failed sub-workflow goes on from its own failed task, rather than from its beginning
      </label>
    </>
  );
}

function Restart() {
  return (
    <>
      <p>The run begins again with its input. What it did so far is forgotten; vendors may be called a second time.</p>
      <label>
        <input type="checkbox" name="latest" /> By the newest definition, rather than by the one it began with
      </label>
    </>
  );
}

/** A new run of the same definition. */
function StartLike({ workflow }: { workflow: Workflow }) {
  const { route } = useLocation();
  if (!may("operator")) return null;
  const address = `${definitionAddress(workflow.workflowName, workflow.workflowVersion)}?tab=start`;
  return (
    <button type="button" onClick={() => route(address)}>
      Start another
    </button>
  );
}

function put(path: string, reason: string): Promise<unknown> {
  return ask(path, { method: "PUT", query: withReason(reason) });
}

function post(path: string, reason: string, query: Readonly<Record<string, boolean>>): Promise<unknown> {
  return ask(path, { method: "POST", query: { ...withReason(reason), ...query } });
}
