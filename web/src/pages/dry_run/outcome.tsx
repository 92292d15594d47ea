// What came of a dry run: how it ended and after what time, each thing that happened, what it would cost, what came out.
import type { Json, Workflow } from "../../conductor/types.ts";
import { JsonBlock } from "../../parts/json.tsx";
import { StatusMark } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { dollars } from "../../words/money.ts";
import { count } from "../../words/sizes.ts";
import { length } from "../../words/time.ts";

export interface Happening {
  readonly atMs: number;
  readonly what: string;
  readonly taskReferenceName?: string;
  readonly detail?: string;
}

export interface Cost {
  readonly usd: number;
  readonly invocations?: number;
  readonly writeUnits?: number;
  readonly readUnits?: number;
  readonly pricesAsOf?: string;
}

export interface Rehearsed {
  readonly workflow: Workflow;
  readonly events: readonly Happening[];
  readonly requests: number;
  readonly elapsedSeconds: number;
  readonly cost?: Cost;
  readonly polls?: Readonly<Record<string, readonly Json[]>>;
  /** `OVER` when the run came to its end; else `endedBy` says what it waits for, or what was too much. */
  readonly ending?: string;
  readonly endedBy?: string;
}

export function Outcome({ rehearsed }: { rehearsed: Rehearsed }) {
  const { workflow, events, requests, elapsedSeconds, cost, ending, endedBy } = rehearsed;
  return (
    <section aria-label="What would happen" class="outcome">
      <h2>What would happen</h2>
      <p role="status">
        <StatusMark status={workflow.status} /> after {length(elapsedSeconds * 1000)}, with {count(requests, "request")} to vendors
        {cost && `, for ${price(cost.usd)}`}.{workflow.reasonForIncompletion && ` ${workflow.reasonForIncompletion}`}
        {ending !== "OVER" && endedBy && ` ${endedBy}`}
      </p>
      {cost && <p class="quiet">{costInWords(cost)}</p>}
      <Events events={events} />
      <JsonBlock title="Output" value={workflow.output} size={workflow.outputSize} />
    </section>
  );
}

function Events({ events }: { events: readonly Happening[] }) {
  const rows = events.map((event, index) => ({ ...event, index }));
  return (
    <Table
      caption={count(events.length, "event")}
      rows={rows}
      keyOf={({ index }) => String(index)}
      columns={[
        { title: "After", number: true, cell: ({ atMs }) => length(atMs) },
        { title: "Step", cell: ({ taskReferenceName }) => taskReferenceName ?? "" },
        { title: "What", cell: ({ what }) => what.replaceAll("_", " ").toLowerCase() },
        { title: "Detail", cell: ({ detail }) => detail ?? "" },
      ]}
    />
  );
}

/** Of a run that costs parts of a cent, a thousand say more. */
function price(usd: number): string {
  return usd >= 0.01 ? dollars(usd) : `${dollars(usd * 1000)} a thousand runs`;
}

function costInWords({ invocations, writeUnits, readUnits, pricesAsOf }: Cost): string {
  const parts = [
    invocations !== undefined && count(invocations, "invocation"),
    writeUnits !== undefined && count(writeUnits, "write unit"),
    readUnits !== undefined && count(readUnits, "read unit"),
    pricesAsOf && `list prices of ${pricesAsOf}`,
  ];
  return parts.filter(Boolean).join(", ");
}
