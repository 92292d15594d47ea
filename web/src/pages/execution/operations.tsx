// What people did to a run: who, when, why.
import type { Operation } from "../../conductor/awaited.ts";
import type { Workflow } from "../../conductor/types.ts";
import { At } from "../../parts/moment.tsx";
import { Empty, Shown } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { ask } from "../../server/client.ts";
import { useOnce } from "../../server/live.ts";

export function Operations({ run }: { run: Workflow }) {
  // The run is known, so what is not found is the route: an older server keeps no record.
  const live = useOnce(`${run.workflowId} ${run.status} ${run.updateTime}`, (signal) =>
    ask<readonly Operation[]>(`/api/workflow/${encodeURIComponent(run.workflowId)}/operations`, { signal }),
  );
  return (
    <Shown live={live} what="operations">
      {(operations) => (operations.length === 0 ? <Empty>Nobody has paused, resumed, retried or ended this run.</Empty> : <List operations={operations} />)}
    </Shown>
  );
}

function List({ operations }: { operations: readonly Operation[] }) {
  return (
    <Table
      caption="Operations on the execution"
      rows={operations}
      keyOf={({ time, operation }) => `${time} ${operation}`}
      columns={[
        { title: "When", cell: ({ time }) => <At time={time} /> },
        { title: "What", cell: ({ operation, taskReferenceName }) => (taskReferenceName ? `${operation} ${taskReferenceName}` : operation) },
        { title: "Why", cell: ({ reason }) => reason ?? "–" },
        { title: "Who", cell: ({ by }) => by ?? "–" },
      ]}
    />
  );
}
