// A step of the definition that the run has not come to.
import type { Json, Workflow, WorkflowTask } from "../../conductor/types.ts";
import { JsonBlock } from "../../parts/json.tsx";
import { taskAddress } from "./address.ts";
import { TaskActions } from "./task_actions.tsx";

interface Props {
  run: Workflow;
  step: WorkflowTask;
  again: () => void;
}

export function Unreached({ run, step, again }: Props) {
  return (
    <aside class="detail" aria-label={`Task ${step.taskReferenceName}`}>
      <div class="beside">
        <h2>{step.taskReferenceName}</h2>
        <a class="close" href={taskAddress(null)} aria-label="Close the task">
          ✕
        </a>
      </div>
      <p>{run.endTime ? "The run did not come to it." : "The run has not come to it yet."}</p>
      <TaskActions workflow={run} reference={step.taskReferenceName} again={again} />
      <JsonBlock title="Step" value={step as unknown as Json} />
    </aside>
  );
}
