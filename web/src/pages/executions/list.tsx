// The runs of a page, a line for each; on a phone a card for each.
import type { Waiting, WorkflowSummary } from "../../conductor/types.ts";
import { Copy } from "../../parts/copy.tsx";
import { Ago, Countdown } from "../../parts/moment.tsx";
import { StatusMark } from "../../parts/status.tsx";
import { runAddress } from "../../shell/addresses.ts";
import { length } from "../../words/time.ts";
import { ALL, addressOf } from "./filters.ts";
import type { Filters } from "./filters.ts";
import type { Listed } from "./looking.ts";
import { pollsOf, waitsFor } from "./telling.ts";

const COLUMNS = ["Status", "Definition", "Correlation id", "Where it stands", "Polls", "Next look", "Started", "Id"] as const;

export function List({ listed, filters }: { listed: Listed; filters: Filters }) {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Executions">
      <table class="runs">
        <caption class="hidden-visually">Executions, newest first</caption>
        <thead>
          <tr>
            {COLUMNS.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.runs.map((run) => (
            <Line key={run.workflowId} run={run} waiting={listed.waiting.get(run.workflowId)} filters={filters} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ run, waiting, filters }: { run: WorkflowSummary; waiting: Waiting | undefined; filters: Filters }) {
  const href = runAddress(run.workflowId);
  return (
    <tr>
      <td>
        <StatusMark status={waiting?.status ?? run.status} />
      </td>
      <td data-title="Definition">
        <a href={href}>
          <strong>{run.workflowType}</strong>
        </a>{" "}
        <span class="quiet">v{run.version}</span>
      </td>
      <td data-title="Correlation id">{run.correlationId ? <Correlated id={run.correlationId} filters={filters} /> : <None />}</td>
      <td data-title="Stands">
        <Standing run={run} waiting={waiting} />
      </td>
      <td data-title="Polls">{(waiting && pollsOf(waiting)) || <None />}</td>
      <td data-title="Next look">{waiting?.nextPollTime ? <Countdown time={waiting.nextPollTime} /> : <None />}</td>
      <td data-title="Started">
        <Started run={run} />
      </td>
      <td data-title="Id" class="run-id">
        <a class="mono" href={href} title={run.workflowId}>
          {run.workflowId.slice(0, 8)}
        </a>
        <Copy text={run.workflowId} label="Copy" />
      </td>
    </tr>
  );
}

/** On a phone what is not there takes no room. */
function None() {
  return <span class="quiet none">–</span>;
}

function Correlated({ id, filters }: { id: string; filters: Filters }) {
  if (filters.correlation === id) return <>{id}</>;
  return (
    <a href={addressOf({ ...ALL, correlation: id })} title="All with this correlation id">
      {id}
    </a>
  );
}

function Standing({ run, waiting }: { run: WorkflowSummary; waiting: Waiting | undefined }) {
  if (waiting?.remoteState) {
    return (
      <>
        <strong class="remote">{waiting.remoteState}</strong> {waiting.host && <span class="quiet">at {waiting.host}</span>}
      </>
    );
  }
  const what = waiting && waitsFor(waiting);
  if (what) return <>waits for {what}</>;
  if (run.reasonForIncompletion) return <span class="reason">{run.reasonForIncompletion}</span>;
  return <None />;
}

function Started({ run }: { run: WorkflowSummary }) {
  const began = Date.parse(run.startTime ?? "");
  const ended = Date.parse(run.endTime ?? "");
  return (
    <>
      <Ago time={began || undefined} />
      {ended >= began && <span class="quiet took">{` took ${length(ended - began)}`}</span>}
    </>
  );
}
