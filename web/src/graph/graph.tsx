// The task graph: a definition drawn, with the way that a run took; or the same as a list. What pages use of this room.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Task, WorkflowDef } from "../conductor/types.ts";
import { Loading, Problem } from "../parts/problem.tsx";
import { Board } from "./board.tsx";
import { Iterations } from "./iterations.tsx";
import type { place } from "./layout.ts";
import { Outline } from "./outline.tsx";
import type { Chosen } from "./recorded.ts";
import { nameOutside, nodeNamed, placed, sceneOf, structureOf } from "./scene.ts";
import type { Scene, Structure } from "./scene.ts";

export interface Props {
  definition: WorkflowDef;
  /** Those of the run. Without them the definition alone is drawn. */
  tasks?: readonly Task[] | undefined;
  /** A reference name: the definition's, or a task's (`poll__3`). */
  selected?: string | undefined;
  /** Told the task's reference name where the run has one for the node, else the definition's. */
  onSelect?: ((referenceName: string) => void) | undefined;
}

export function TaskGraph({ definition, tasks, selected, onSelect }: Props) {
  const [asList, setAsList] = useState(false);
  const [chosen, setChosen] = useState<Chosen>(() => iterationOf(tasks, selected));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const structure = useMemo(() => structureOf(definition, tasks, chosen), [definition, tasks, chosen]);
  const picked = nodeNamed(structure, selected);
  const toggle = (group: string) => setOpen(open.has(group) ? new Set([...open].filter((one) => one !== group)) : new Set([...open, group]));
  const shared = { selected: picked, open, onToggle: toggle, onSelect: (id: string) => onSelect?.(nameOutside(structure, id)) };
  return (
    <section class="graph" aria-label="Task graph">
      <div class="graph-tools">
        <Iterations structure={structure} chosen={chosen} onChoose={setChosen} />
        <button type="button" class="plain" aria-pressed={asList} onClick={() => setAsList(!asList)}>
          {asList ? "Show as graph" : "Show as list"}
        </button>
      </div>
      {asList ? <Outline structure={structure} {...shared} /> : <Drawn structure={structure} {...shared} />}
    </section>
  );
}

interface DrawnProps {
  structure: Structure;
  selected: string | undefined;
  open: ReadonlySet<string>;
  onToggle: (group: string) => void;
  onSelect: (id: string) => void;
}

function Drawn({ structure, open, ...rest }: DrawnProps) {
  const placing = usePlacing();
  const scene = useScene(structure, open, "place" in placing ? placing.place : undefined);
  if ("error" in placing) return <Problem error={placing.error} />;
  return scene ? <Board scene={scene} {...rest} /> : <Loading what="the graph" />;
}

/** dagre comes with the first graph that is drawn. */
function usePlacing(): { place: typeof place } | { error: Error } | Record<never, never> {
  const [state, setState] = useState<{ place: typeof place } | { error: Error } | Record<never, never>>({});
  useEffect(() => {
    import("./layout.ts").then(setState, () => setState({ error: new Error("The graph cannot be loaded. Reload the page, or show it as a list.") }));
  }, []);
  return state;
}

/** While a run goes on only what differs is done anew: places are kept until a node is added. */
function useScene(structure: Structure, open: ReadonlySet<string>, placing: typeof place | undefined): Scene | undefined {
  const form = useMemo(() => JSON.stringify(structure.shape), [structure]);
  const places = useMemo(() => placing && placed(structure, open, placing), [form, open, placing, structure.progress === undefined]);
  return useMemo(() => places && sceneOf(structure, places), [structure, places]);
}

/** A task of an earlier iteration is selected: show that iteration. */
function iterationOf(tasks: readonly Task[] | undefined, selected: string | undefined): Chosen {
  const task = tasks?.find((one) => one.referenceTaskName === selected);
  const loop = tasks?.find((one) => one.workflowTask?.loopOver?.some((inner) => inner.taskReferenceName === task?.workflowTask?.taskReferenceName));
  const name = loop?.workflowTask?.taskReferenceName;
  return new Map(name !== undefined && task?.iteration ? [[name, task.iteration]] : []);
}
