// What the handlers of one event did, newest first.
import type { EventExecution } from "../../conductor/standing_orders.ts";
import { At } from "../../parts/moment.tsx";
import { Empty, Shown } from "../../parts/problem.tsx";
import { StatusMark } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { ask } from "../../server/client.ts";
import { useOnce } from "../../server/live.ts";
import { runAddress } from "../../shell/addresses.ts";

export function Past({ event }: { event: string }) {
  const live = useOnce(event, (signal) => ask<readonly EventExecution[]>(`/api/event/executions/${encodeURIComponent(event)}`, { signal }));
  return (
    <section>
      <h2>
        What came of <code>{event}</code>
      </h2>
      <Shown live={live} what="executions">
        {(executions) => (executions.length === 0 ? <Empty>No such event came yet.</Empty> : <List executions={executions} />)}
      </Shown>
    </section>
  );
}

function List({ executions }: { executions: readonly EventExecution[] }) {
  return (
    <Table
      caption="Executions of handlers"
      rows={executions}
      keyOf={(one) => `${one.id ?? one.messageId}${one.name}${one.action}`}
      columns={[
        { title: "When", cell: ({ created }) => <At time={created} /> },
        { title: "Handler", cell: ({ name }) => name ?? "" },
        { title: "Action", cell: ({ action }) => (action ?? "").replaceAll("_", " ").toLowerCase() },
        { title: "State", cell: ({ status }) => <StatusMark status={status ?? "SKIPPED"} /> },
        { title: "Run", cell: ({ output }) => <Run id={output?.["workflowId"]} /> },
        { title: "Message", cell: ({ messageId }) => <span class="mono">{messageId ?? ""}</span> },
      ]}
    />
  );
}

function Run({ id }: { id: unknown }) {
  return typeof id === "string" ? <a href={runAddress(id)}>{id.slice(0, 8)}</a> : <span class="quiet">–</span>;
}
