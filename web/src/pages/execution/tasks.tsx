// The list of a run's tasks: one row a reference name, filtered and in pages, so that a thousand stay usable.
import { useState } from "preact/hooks";
import { TASK_STATUSES, type Task } from "../../conductor/types.ts";
import { At, Countdown } from "../../parts/moment.tsx";
import { Pager, pageOf } from "../../parts/pager.tsx";
import { Empty } from "../../parts/problem.tsx";
import { StatusMark } from "../../parts/status.tsx";
import { now } from "../../server/clock.ts";
import { count } from "../../words/sizes.ts";
import { length } from "../../words/time.ts";
import { taskAddress } from "./address.ts";
import { type Row, matching, polls } from "./rows.ts";

const SIZE = 100;

export function Tasks({ rows, selected }: { rows: readonly Row[]; selected: string | undefined }) {
  const [text, setText] = useState("");
  const [status, setStatus] = useState("");
  const [wanted, setPage] = useState(() => Math.floor(Math.max(0, rows.findIndex(({ reference }) => reference === selected)) / SIZE));
  const kept = matching(rows, text, status);
  const { rows: shown, page } = pageOf(kept, wanted, SIZE);
  if (rows.length === 0) return <Empty>No task has been scheduled yet.</Empty>;
  return (
    <>
      <Filters rows={rows} text={text} status={status} onText={(word) => (setText(word), setPage(0))} onStatus={(word) => (setStatus(word), setPage(0))} />
      {kept.length === 0 ? (
        <Empty>No task is like that.</Empty>
      ) : (
        <>
          <List rows={shown} selected={selected} />
          <Pager total={kept.length} size={SIZE} page={page} onPage={setPage} one="task" />
        </>
      )}
    </>
  );
}

interface FilterProps {
  rows: readonly Row[];
  text: string;
  status: string;
  onText: (text: string) => void;
  onStatus: (status: string) => void;
}

function Filters({ rows, text, status, onText, onStatus }: FilterProps) {
  const counts = new Map<string, number>();
  for (const { latest } of rows) counts.set(latest.status, (counts.get(latest.status) ?? 0) + 1);
  return (
    <div class="filters" role="search">
      <label>
        Name or type
        <input type="search" value={text} onInput={(event) => onText(event.currentTarget.value)} />
      </label>
      <label>
        Status
        <select value={status} onChange={(event) => onStatus(event.currentTarget.value)}>
          <option value="">{`Any (${rows.length.toLocaleString("en-US")})`}</option>
          {TASK_STATUSES.filter((each) => counts.has(each)).map((each) => (
            <option key={each} value={each}>{`${each.replaceAll("_", " ").toLowerCase()} (${counts.get(each)})`}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

function List({ rows, selected }: { rows: readonly Row[]; selected: string | undefined }) {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Tasks of the execution">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Status</th>
            <th scope="col">Began</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col">Remarks</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.reference} row={row} selected={row.reference === selected} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ row: { reference, latest, attempts }, selected }: { row: Row; selected: boolean }) {
  const began = latest.startTime || latest.scheduledTime;
  return (
    <tr class={selected ? "selected" : ""}>
      <td>
        <a href={taskAddress(selected ? null : reference)} aria-current={selected ? "true" : undefined}>
          {reference}
        </a>
        <div class="quiet small">{latest.taskDefName && latest.taskDefName !== reference ? `${latest.taskType} ${latest.taskDefName}` : latest.taskType}</div>
      </td>
      <td>
        <StatusMark status={latest.status} />
      </td>
      <td>
        <At time={began} />
      </td>
      <td class="number">
        <Took task={latest} />
      </td>
      <td class="quiet small">
        <Remarks row={{ reference, latest, attempts }} />
      </td>
    </tr>
  );
}

function Took({ task }: { task: Task }) {
  const began = task.startTime || task.scheduledTime;
  if (!began) return <>–</>;
  return <>{task.endTime ? length(task.endTime - began) : `${length(now.value - began)} so far`}</>;
}

function Remarks({ row: { latest, attempts } }: { row: Row }) {
  const remarks = [
    ...(attempts.length > 1 ? [count(attempts.length, "attempt")] : []),
    ...((latest.iteration ?? 0) > 0 ? [`iteration ${latest.iteration}`] : []),
    ...(polls(latest) ? [count(latest.pollCount ?? 0, "poll")] : []),
    ...(latest.reasonForIncompletion ? [latest.reasonForIncompletion.slice(0, 120)] : []),
  ];
  return (
    <>
      {remarks.join(", ")}
      {!!latest.nextPollTime && (
        <>
          , next look <Countdown time={latest.nextPollTime} />
        </>
      )}
    </>
  );
}
