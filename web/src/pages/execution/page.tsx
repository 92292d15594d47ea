// One execution: what is the matter with it, and its parts as tabs. The address keeps the tab and the task that is looked at.
import { useLocation, useRoute } from "preact-iso";
import { useMemo, useRef } from "preact/hooks";
import type { Task, Workflow, WorkflowTask } from "../../conductor/types.ts";
import { Shown } from "../../parts/problem.tsx";
import { Tabs, useTab } from "../../parts/tabs.tsx";
import { Definition, Payloads, Raw } from "./data.tsx";
import { Detail } from "./detail.tsx";
import { Graph } from "./graph.tsx";
import { Head } from "./head.tsx";
import { Ledger } from "./ledger.tsx";
import { useRun } from "./look.ts";
import { Operations } from "./operations.tsx";
import { type Row, found, rowsOf } from "./rows.ts";
import { stepNamed } from "./step.ts";
import { Tasks } from "./tasks.tsx";
import { Timeline } from "./timeline.tsx";
import { Unreached } from "./unreached.tsx";

const TABS = {
  graph: "Graph",
  tasks: "Tasks",
  timeline: "Timeline",
  ledger: "Polls",
  input: "Input and output",
  definition: "Definition",
  json: "JSON",
  operations: "Operations",
} as const;

const NONE: readonly Task[] = [];

export default function Page() {
  const { id = "" } = useRoute().params;
  const live = useRun(id);
  return (
    <div class="execution">
      <Shown live={live} what="the execution">
        {({ run }) => (
          <>
            <Head run={run} again={live.again} />
            <Tabs label="Parts of the execution" tabs={TABS} />
            <Parts run={run} again={live.again} />
          </>
        )}
      </Shown>
    </div>
  );
}

function Parts({ run, again }: { run: Workflow; again: () => void }) {
  const rows = useMemo(() => rowsOf(run.tasks ?? NONE), [run.tasks]);
  const wanted = useLocation().query["task"] ?? "";
  const first = useRef(wanted);
  const open = found(rows, wanted);
  const step = open ? undefined : stepNamed(run.workflowDefinition?.tasks ?? [], wanted);
  const beside = { run, open, step, again, focus: wanted !== first.current };
  switch (useTab(TABS)) {
    case "graph":
      return <Beside main={<Graph run={run} selected={wanted} />} {...beside} />;
    case "tasks":
      return <Beside main={<Tasks rows={rows} selected={open?.row.reference} />} {...beside} />;
    case "timeline":
      return <Beside main={<Timeline run={run} rows={rows} selected={open?.row.reference} />} {...beside} />;
    case "ledger":
      return <Ledger rows={rows} selected={open?.task} />;
    case "input":
      return <Payloads run={run} />;
    case "definition":
      return <Definition run={run} />;
    case "json":
      return <Raw run={run} />;
    case "operations":
      return <Operations run={run} />;
  }
}

interface BesideProps {
  main: preact.ComponentChildren;
  run: Workflow;
  open: { row: Row; task: Task } | undefined;
  /** What is looked at instead where the run has not come to it. */
  step: WorkflowTask | undefined;
  focus: boolean;
  again: () => void;
}

/** A view of all tasks, and beside it the one that is looked at. */
function Beside({ main, run, open, step, focus, again }: BesideProps) {
  return (
    <div class={open || step ? "panes panes-two" : "panes"}>
      <div class="pane">{main}</div>
      {open && <Detail key={open.task.taskId} run={run} row={open.row} task={open.task} focus={focus} again={again} />}
      {step && <Unreached run={run} step={step} again={again} />}
    </div>
  );
}
