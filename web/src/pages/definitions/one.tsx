// One definition: its versions, graph, text, a start and a dry run.
import { useRoute } from "preact-iso";
import type { WorkflowDef } from "../../conductor/types.ts";
import { later } from "../../parts/later.tsx";
import { Shown } from "../../parts/problem.tsx";
import { Tabs, useTab } from "../../parts/tabs.tsx";
import { Title } from "../../parts/title.tsx";
import { ask } from "../../server/client.ts";
import { useOnce } from "../../server/live.ts";
import { may } from "../../server/session.ts";
import { definitionAddress, runsAddress } from "../../shell/addresses.ts";

const TABS = { graph: "Graph", text: "Definition", start: "Start", dryrun: "Dry run" } as const;

const Graph = later(() => import("./graph.tsx"));
const Text = later(() => import("./text.tsx"));
const Start = later(() => import("./start.tsx"));
const DryRun = later(() => import("../dry_run/part.tsx"));

interface Known {
  definition: WorkflowDef;
  versions: readonly number[];
}

export default function Page() {
  const { name = "", version } = useRoute().params;
  const live = useOnce(`${name} ${version ?? ""}`, (signal) => look(name, version, signal));
  return (
    <>
      <Shown live={live} what="the definition">
        {({ definition, versions }) => (
          <>
            <Head definition={definition} versions={versions} />
            <Tabs label="Parts of the definition" tabs={TABS} />
            <Part definition={definition} again={live.again} />
          </>
        )}
      </Shown>
    </>
  );
}

async function look(name: string, version: string | undefined, signal: AbortSignal): Promise<Known> {
  const path = `/api/metadata/workflow/${encodeURIComponent(name)}`;
  const [definition, versions] = await Promise.all([
    ask<WorkflowDef>(path, { signal, query: { version } }),
    ask<readonly { version: number }[]>(`${path}/versions`, { signal }),
  ]);
  return { definition, versions: versions.map((one) => one.version).sort((one, other) => other - one) };
}

function Head({ definition, versions }: Known) {
  const { name, version, description, ownerEmail } = definition;
  return (
    <>
      <Title name={name} />
      {description && <p>{description}</p>}
      <p class="quiet">
        {ownerEmail && <>{ownerEmail}, </>}version {version}
        {versions.length > 1 && (
          <>
            ; others:{" "}
            {versions
              .filter((other) => other !== version)
              .map((other) => (
                <a key={other} class="version" href={definitionAddress(name, other)}>
                  {other}
                </a>
              ))}
          </>
        )}
        {" · "}
        <a href={runsAddress({ definition: name })}>Runs</a>
      </p>
    </>
  );
}

function Part({ definition, again }: { definition: WorkflowDef; again: () => void }) {
  switch (useTab(TABS)) {
    case "graph":
      return <Graph definition={definition} />;
    case "text":
      return <Text definition={definition} saved={again} />;
    case "start":
      return may("operator") ? <Start definition={definition} /> : <p>Starting a run takes the role operator.</p>;
    case "dryrun":
      return may("operator") ? <DryRun definition={definition} /> : <p>A dry run takes the role operator.</p>;
  }
}
