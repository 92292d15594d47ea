// The run's task graph, drawn with the way it took. Its code is loaded when somebody looks.
import { useLocation } from "preact-iso";
import type { Workflow } from "../../conductor/types.ts";
import { Empty, Shown } from "../../parts/problem.tsx";
import { useOnce } from "../../server/live.ts";
import { taskAddress } from "./address.ts";

export function Graph({ run, selected }: { run: Workflow; selected: string }) {
  const { route } = useLocation();
  const code = useOnce("graph", () => import("../../graph/graph.tsx"));
  const { workflowDefinition: definition, tasks } = run;
  if (!definition) return <Empty>The definition of this run is not known.</Empty>;
  return (
    <Shown live={code} what="the graph">
      {({ TaskGraph }) => <TaskGraph definition={definition} tasks={tasks} selected={selected} onSelect={(reference) => route(taskAddress(reference), true)} />}
    </Shown>
  );
}
