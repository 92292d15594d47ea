// What happens when an event comes: handlers, their conditions and actions, and what they did.
import { useState } from "preact/hooks";
import type { EventAction, EventHandler } from "../../conductor/standing_orders.ts";
import { Empty, Shown } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { Title } from "../../parts/title.tsx";
import { ask } from "../../server/client.ts";
import { useLive } from "../../server/live.ts";
import { count } from "../../words/sizes.ts";
import { Past } from "./past.tsx";

const EVERY = 30_000;

export default function Page() {
  const live = useLive("handlers", (signal) => ask<readonly EventHandler[]>("/api/event", { signal }), () => EVERY);
  const [chosen, choose] = useState<string | null>(null);
  return (
    <>
      <Title name="Event handlers" />
      <Shown live={live} what="event handlers">
        {(handlers) => (handlers.length === 0 ? <None /> : <List handlers={handlers} chosen={chosen} choose={choose} />)}
      </Shown>
      {chosen && <Past event={chosen} key={chosen} />}
    </>
  );
}

function None() {
  return (
    <Empty>
      <p>No handler waits for an event yet.</p>
      <pre>fermata event create HANDLER.json</pre>
    </Empty>
  );
}

function List({ handlers, chosen, choose }: { handlers: readonly EventHandler[]; chosen: string | null; choose: (event: string | null) => void }) {
  return (
    <Table
      caption={count(handlers.length, "event handler")}
      rows={handlers}
      keyOf={({ name }) => name}
      columns={[
        { title: "Handler", cell: ({ name }) => <strong>{name}</strong> },
        { title: "State", cell: ({ active }) => <span class={`status ${active ? "status-done" : "status-held"}`}>{active ? "active" : "inactive"}</span> },
        { title: "Event", cell: ({ event }) => <code>{event}</code> },
        { title: "Condition", cell: ({ condition }) => (condition ? <code>{condition}</code> : <span class="quiet">always</span>) },
        { title: "Does", cell: ({ actions }) => actions.map((action, index) => <div key={index}>{told(action)}</div>) },
        {
          title: "Executions",
          cell: ({ event }) => (
            <button type="button" aria-pressed={chosen === event} onClick={() => choose(chosen === event ? null : event)}>
              What it did
            </button>
          ),
        },
      ]}
    />
  );
}

/** An action in words. */
function told(action: EventAction): string {
  switch (action.action) {
    case "start_workflow":
      return `starts ${action.start_workflow?.name ?? "a workflow"}`;
    case "complete_task":
      return `completes ${action.complete_task?.taskRefName ?? action.complete_task?.taskId ?? "a task"}`;
    case "fail_task":
      return `fails ${action.fail_task?.taskRefName ?? action.fail_task?.taskId ?? "a task"}`;
    default:
      return action.action.replaceAll("_", " ");
  }
}
