// What one schedule started, newest first.
import type { ScheduledRun } from "../../conductor/standing_orders.ts";
import { At } from "../../parts/moment.tsx";
import { Empty, Shown } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { ask } from "../../server/client.ts";
import { useOnce } from "../../server/live.ts";
import { runAddress } from "../../shell/addresses.ts";
import { length } from "../../words/time.ts";

const MOST = 50;

export function Past({ name }: { name: string }) {
  const query = { query: `scheduleName="${name}"`, size: MOST };
  const live = useOnce(name, (signal) => ask<{ results: readonly ScheduledRun[] }>("/api/scheduler/search/executions", { query, signal }));
  return (
    <section>
      <h2>{`What ${name} started`}</h2>
      <Shown live={live} what="past runs">
        {({ results }) => (results.length === 0 ? <Empty>Nothing yet.</Empty> : <List runs={results} />)}
      </Shown>
    </section>
  );
}

function List({ runs }: { runs: readonly ScheduledRun[] }) {
  return (
    <Table
      caption="Past runs"
      rows={runs}
      keyOf={(run) => run.executionId ?? `${run.scheduledTime}`}
      columns={[
        { title: "Due", cell: ({ scheduledTime }) => <At time={scheduledTime} /> },
        { title: "Late by", number: true, cell: lateness },
        { title: "Run", cell: (run) => <Outcome run={run} /> },
        { title: "State", cell: ({ state }) => state ?? "" },
      ]}
    />
  );
}

function lateness({ scheduledTime, executionTime }: ScheduledRun) {
  return scheduledTime && executionTime ? length(executionTime - scheduledTime) : "–";
}

function Outcome({ run }: { run: ScheduledRun }) {
  if (run.workflowId) return <a href={runAddress(run.workflowId)}>{run.workflowName ?? run.workflowId}</a>;
  return <span>{run.reason ?? "–"}</span>;
}
