// A definition's graph, with no run in it.
import type { WorkflowDef } from "../../conductor/types.ts";

export default function Graph({ definition }: { definition: WorkflowDef }) {
  return <p class="quiet">{definition.name}</p>;
}
