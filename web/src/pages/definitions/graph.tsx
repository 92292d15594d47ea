// A definition's graph, with no run in it.
import type { WorkflowDef } from "../../conductor/types.ts";
import { TaskGraph } from "../../graph/graph.tsx";

export default function Graph({ definition }: { definition: WorkflowDef }) {
  return <TaskGraph definition={definition} />;
}
