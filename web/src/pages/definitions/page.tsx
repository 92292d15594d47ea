// The list of workflow definitions: the newest version of each.
import { useState } from "preact/hooks";
import type { WorkflowDef } from "../../conductor/types.ts";
import { At } from "../../parts/moment.tsx";
import { Empty, Shown } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { Title } from "../../parts/title.tsx";
import { ask } from "../../server/client.ts";
import { useLive } from "../../server/live.ts";
import { may } from "../../server/session.ts";
import { definitionAddress, runsAddress } from "../../shell/addresses.ts";
import { count } from "../../words/sizes.ts";
import { steps } from "./steps.ts";

const LATEST = "/api/metadata/workflow/latest-versions";
const EVERY = 60_000;

export default function Page() {
  const live = useLive("definitions", (signal) => ask<readonly WorkflowDef[]>(LATEST, { signal }), () => EVERY);
  const [word, setWord] = useState("");
  return (
    <>
      <div class="beside">
        <Title name="Definitions" />
        {may("admin") && <a href="/ui/new-definition">New definition</a>}
      </div>
      <Shown live={live} what="definitions">
        {(definitions) => (definitions.length === 0 ? <None /> : <Found definitions={definitions} word={word} setWord={setWord} />)}
      </Shown>
    </>
  );
}

function None() {
  return (
    <Empty>
      <p>No workflow is defined yet. Bring the definitions that you have:</p>
      <pre>fermata workflow create FILE.json</pre>
    </Empty>
  );
}

function Found({ definitions, word, setWord }: { definitions: readonly WorkflowDef[]; word: string; setWord: (word: string) => void }) {
  const wanted = word.trim().toLowerCase();
  const found = definitions.filter(({ name, description }) => `${name} ${description ?? ""}`.toLowerCase().includes(wanted));
  return (
    <>
      <div class="filters">
        <label>
          Find a definition <input type="search" value={word} onInput={(event) => setWord(event.currentTarget.value)} />
        </label>
        <span class="quiet" role="status">
          {count(found.length, "definition")}
        </span>
      </div>
      <List definitions={found} />
    </>
  );
}

function List({ definitions }: { definitions: readonly WorkflowDef[] }) {
  return (
    <Table
      caption="Workflow definitions"
      rows={definitions}
      keyOf={({ name }) => name}
      columns={[
        { title: "Definition", cell: ({ name }) => <a href={definitionAddress(name)}>{name}</a> },
        { title: "Version", number: true, cell: ({ version }) => version },
        { title: "Description", cell: ({ description }) => description ?? "" },
        { title: "Steps", number: true, cell: (definition) => steps(definition.tasks).length },
        { title: "Kinds", cell: ({ tasks }) => <span class="quiet">{kinds(tasks)}</span> },
        { title: "Changed", cell: ({ updateTime, createTime }) => <At time={updateTime || createTime} /> },
        { title: "Runs", cell: ({ name }) => <a href={runsAddress({ definition: name })}>Runs</a> },
      ]}
    />
  );
}

function kinds(tasks: WorkflowDef["tasks"]): string {
  return [...new Set(steps(tasks).map(({ type }) => type))].join(", ");
}
