// A run's data as JSON: input, output and variables; the definition it runs by; all of it as the API answers.
import type { Json, Workflow } from "../../conductor/types.ts";
import { JsonBlock } from "../../parts/json.tsx";
import { ask } from "../../server/client.ts";
import { definitionAddress } from "../../shell/addresses.ts";
import { wholeOfRun } from "./look.ts";
import { Opened } from "./opened.tsx";

export function Payloads({ run }: { run: Workflow }) {
  const whole = (name: "input" | "output" | "variables") => () => wholeOfRun(run.workflowId, name);
  return (
    <div class="payloads">
      <JsonBlock title="Input" value={run.input} size={run.inputSize} fetchWhole={whole("input")} />
      <JsonBlock title="Output" value={run.output} size={run.outputSize} fetchWhole={whole("output")} />
      <JsonBlock title="Variables" value={run.variables} size={run.variablesSize} fetchWhole={whole("variables")} />
    </div>
  );
}

export function Definition({ run }: { run: Workflow }) {
  return (
    <>
      <p>
        This run began with the definition below and keeps it.{" "}
        <a href={definitionAddress(run.workflowName, run.workflowVersion)}>{`See ${run.workflowName}, version ${run.workflowVersion}, as it is now`}</a>
      </p>
      <JsonBlock title="Definition" value={run.workflowDefinition as unknown as Json} />
    </>
  );
}

export function Raw({ run }: { run: Workflow }) {
  return (
    <>
      <p>As the API answers it; large payloads are left out, and their sizes stand beside.</p>
      <JsonBlock title="Execution" value={run as unknown as Json} />
      <Opened title="Everything, however large" of={run.workflowId} load={(signal) => ask<Json>(`/api/workflow/${encodeURIComponent(run.workflowId)}`, { signal })}>
        {(whole) => <JsonBlock title="Whole execution" value={whole} />}
      </Opened>
    </>
  );
}
