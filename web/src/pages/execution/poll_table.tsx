// The poll ledger as a table, the newest first, in pages.
import { useState } from "preact/hooks";
import type { Poll } from "../../conductor/awaited.ts";
import type { Task } from "../../conductor/types.ts";
import { Copy } from "../../parts/copy.tsx";
import { At } from "../../parts/moment.tsx";
import { Pager, pageOf } from "../../parts/pager.tsx";
import { Table } from "../../parts/table.tsx";
import { curl } from "../../words/curl.ts";
import type { PollPlan } from "../../words/request.ts";
import { length } from "../../words/time.ts";
import { MARKS, type Mark, marksOf } from "./marks.ts";
import { Shape } from "./shape.tsx";

const SIZE = 50;

interface Props {
  task: Task;
  polls: readonly Poll[];
  plan: PollPlan;
}

interface Entry {
  readonly poll: Poll;
  readonly marks: readonly Mark[];
}

const WORDS: Readonly<Record<Poll["decision"], string>> = {
  AGAIN: "again",
  SLOW_DOWN: "slow down",
  ERROR: "error",
  DONE: "done",
  FAILED: "failed",
  EXHAUSTED: "gave up",
};

export function PollTable({ task, polls, plan }: Props) {
  const [wanted, setPage] = useState(0);
  const marks = marksOf(polls, plan);
  const newest = polls.map((poll, index): Entry => ({ poll, marks: marks[index]! })).reverse();
  const { rows, page } = pageOf(newest, wanted, SIZE);
  const command = task.inputData && curl(task);
  return (
    <>
      <Table
        caption={`Polls of ${task.referenceTaskName}, the newest first`}
        rows={rows}
        keyOf={({ poll }) => String(poll.poll)}
        columns={[
          { title: "Poll", number: true, cell: ({ poll }) => poll.poll },
          { title: "Due", cell: ({ poll }) => <At time={poll.dueTime} /> },
          { title: "Fired", cell: ({ poll }) => <At time={poll.firedTime} /> },
          { title: "Lateness", number: true, cell: ({ poll }) => length(poll.latenessMs) },
          { title: "Latency", number: true, cell: ({ poll }) => length(poll.latencyMs) },
          { title: "Status", number: true, cell: ({ poll }) => poll.statusCode ?? <span class="quiet">no answer</span> },
          { title: "Decision", cell: (entry) => <Decided {...entry} /> },
          { title: "Next due", cell: ({ poll }) => (poll.nextDueTime ? <At time={poll.nextDueTime} /> : <span class="quiet">none</span>) },
          ...(command ? [{ title: "Request", cell: () => <Copy text={command} label="Copy curl" /> }] : []),
        ]}
      />
      <Pager total={polls.length} size={SIZE} page={page} onPage={setPage} one="poll" />
    </>
  );
}

function Decided({ poll, marks }: Entry) {
  const remarks = [...(marks.includes("longer") ? ["Retry-After"] : []), ...(poll.remoteState === undefined ? [] : [poll.remoteState])];
  return (
    <span class="decided">
      {marks.map((mark) => (
        <Shape key={mark} mark={mark} title={MARKS[mark]} />
      ))}
      {[WORDS[poll.decision] ?? poll.decision, ...remarks].join(", ")}
    </span>
  );
}
