// What waits for workers: queues with their depth, and the workers that were seen at them.
import type { PollData } from "../../conductor/standing_orders.ts";
import { Ago } from "../../parts/moment.tsx";
import { Empty, Shown } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { Title } from "../../parts/title.tsx";
import { ask } from "../../server/client.ts";
import { useLive } from "../../server/live.ts";
import { count } from "../../words/sizes.ts";
import { type QueueLine, queueLines } from "./lines.ts";

const EVERY = 5_000;

export default function Page() {
  const live = useLive("queues", look, () => EVERY);
  return (
    <>
      <Title name="Task queues" />
      <Shown live={live} what="task queues">
        {(lines) => (lines.length === 0 ? <None /> : <List lines={lines} />)}
      </Shown>
    </>
  );
}

async function look(signal: AbortSignal): Promise<readonly QueueLine[]> {
  const [depths, polls] = await Promise.all([
    ask<Readonly<Record<string, number>>>("/api/tasks/queue/all", { signal }),
    ask<readonly PollData[]>("/api/tasks/queue/polldata/all", { signal }),
  ]);
  return queueLines(depths, polls);
}

function None() {
  return (
    <Empty>
      <p>No task waits for a worker, and no worker has asked for one.</p>
      <p>Queues appear with the first task of their kind, or with the first worker that polls for it.</p>
    </Empty>
  );
}

function List({ lines }: { lines: readonly QueueLine[] }) {
  return (
    <Table
      caption={count(lines.length, "queue")}
      rows={lines}
      keyOf={({ queue }) => queue}
      columns={[
        { title: "Task type", cell: ({ taskType }) => <strong>{taskType}</strong> },
        { title: "Domain", cell: ({ domain }) => domain ?? <span class="quiet">none</span> },
        { title: "Waiting", number: true, cell: ({ depth }) => depth.toLocaleString("en-US") },
        { title: "Workers seen", cell: ({ workers }) => <Workers workers={workers} /> },
      ]}
    />
  );
}

function Workers({ workers }: { workers: readonly PollData[] }) {
  if (workers.length === 0) return <span class="quiet">none yet: nothing will take these tasks</span>;
  return (
    <>
      {workers.map(({ workerId, lastPollTime }) => (
        <div key={workerId ?? ""}>
          <span class="mono">{workerId ?? "unnamed"}</span>, <Ago time={lastPollTime} />
        </div>
      ))}
    </>
  );
}
