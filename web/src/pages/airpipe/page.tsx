// The Air Pipe interfaces that this server answers, and their runs.
import { Empty, Shown } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { Title } from "../../parts/title.tsx";
import { Refused, ask } from "../../server/client.ts";
import { useOnce } from "../../server/live.ts";
import { definitionAddress, runsAddress } from "../../shell/addresses.ts";
import { count } from "../../words/sizes.ts";

interface Interface {
  readonly method: string;
  readonly path: string;
  readonly summary?: string;
  /** The workflow definition that it is. */
  readonly definition?: string;
  readonly waits?: string | readonly string[];
  readonly ceilings?: string | readonly string[];
}

const RUNS = runsAddress({ query: 'workflowType STARTS_WITH "airpipe:"' });

export default function Page() {
  const live = useOnce("interfaces", look);
  return (
    <>
      <Title name="Air Pipe" />
      <p>
        <a href={RUNS}>All runs of interfaces</a>
      </p>
      <Shown live={live} what="interfaces">
        {(interfaces) => (interfaces.length === 0 ? <None /> : <List interfaces={interfaces} />)}
      </Shown>
    </>
  );
}

async function look(signal: AbortSignal): Promise<readonly Interface[]> {
  try {
    return await ask<readonly Interface[]>("/api/airpipe/interfaces", { signal });
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return []; // this server serves none
    throw error;
  }
}

function None() {
  return (
    <Empty>
      <p>This server serves no Air Pipe interface.</p>
      <pre>fermata airpipe deploy FILE.yml</pre>
    </Empty>
  );
}

function List({ interfaces }: { interfaces: readonly Interface[] }) {
  return (
    <Table
      caption={count(interfaces.length, "interface")}
      rows={interfaces}
      keyOf={({ method, path }) => `${method} ${path}`}
      columns={[
        { title: "Interface", cell: (one) => <Address one={one} /> },
        { title: "What it does", cell: ({ summary }) => summary ?? "" },
        { title: "Waits", cell: ({ waits }) => <Lines of={waits} /> },
        { title: "Ceilings", cell: ({ ceilings }) => <Lines of={ceilings} /> },
        { title: "Runs", cell: ({ definition }) => <Runs definition={definition} /> },
      ]}
    />
  );
}

function Address({ one: { method, path, definition } }: { one: Interface }) {
  const code = <code>{`${method} ${path}`}</code>;
  return definition ? <a href={definitionAddress(definition)}>{code}</a> : code;
}

function Lines({ of }: { of: string | readonly string[] | undefined }) {
  const lines = typeof of === "string" ? [of] : (of ?? []);
  return (
    <>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
}

function Runs({ definition }: { definition: string | undefined }) {
  if (!definition) return <span class="quiet">–</span>;
  return <a href={runsAddress({ definition })}>Runs</a>;
}
