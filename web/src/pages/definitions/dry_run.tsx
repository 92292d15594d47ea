// A dry run: what would happen, when, with which answers, at what cost.
import type { WorkflowDef } from "../../conductor/types.ts";

export default function DryRun({ definition }: { definition: WorkflowDef }) {
  return <p class="quiet">{definition.name}</p>;
}
