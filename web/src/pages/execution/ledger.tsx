// Every look at a vendor's job: in a sentence, as a chart, as a table, with the request to repeat it by hand.
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import type { Poll } from "../../conductor/awaited.ts";
import type { Task } from "../../conductor/types.ts";
import { Empty, Loading, Shown } from "../../parts/problem.tsx";
import { ask } from "../../server/client.ts";
import { type Live, useLive, useOnce } from "../../server/live.ts";
import { type PollPlan, pollPlan } from "../../words/request.ts";
import { count } from "../../words/sizes.ts";
import { length } from "../../words/time.ts";
import { taskAddress } from "./address.ts";
import { marksOf, summary } from "./marks.ts";
import { PollTable } from "./poll_table.tsx";
import { Request } from "./request.tsx";
import { type Row, pollers } from "./rows.ts";

export function Ledger({ rows, selected }: { rows: readonly Row[]; selected: Task | undefined }) {
  const tasks = pollers(rows);
  const task = tasks.find(({ taskId }) => taskId === selected?.taskId) ?? tasks.findLast(({ endTime }) => !endTime) ?? tasks.at(-1);
  if (!task) return <Empty>No task of this run polls anything.</Empty>;
  return (
    <>
      {tasks.length > 1 && <Choice tasks={tasks} task={task} />}
      <Polls key={task.taskId} task={task} />
      <Request key={`request ${task.taskId}`} task={task} />
    </>
  );
}

function Choice({ tasks, task }: { tasks: readonly Task[]; task: Task }) {
  const { route } = useLocation();
  return (
    <div class="filters">
      <label>
        Polls of
        <select value={task.taskId} onChange={(event) => route(taskAddress(event.currentTarget.value), true)}>
          {tasks.map((each) => (
            <option key={each.taskId} value={each.taskId}>
              {`${each.referenceTaskName}${each.retryCount ? `, attempt ${each.retryCount + 1}` : ""}: ${count(each.pollCount ?? 0, "poll")}`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** A task's ledger: looked at again when the task tells of another poll. */
export function usePolls(task: Task): Live<readonly Poll[]> {
  const live = useLive(task.taskId, (signal, last: readonly Poll[] | undefined) => newer(task.taskId, signal, last), () => null);
  useEffect(() => {
    if (live.value && (live.value.length !== (task.pollCount ?? 0) || task.endTime)) live.again();
  }, [task.pollCount, task.status]);
  return live;
}

/** Only what is new is asked for. */
async function newer(taskId: string, signal: AbortSignal, last: readonly Poll[] = []): Promise<readonly Poll[]> {
  const since = last.at(-1)?.poll ?? 0;
  const found = await ask<readonly Poll[]>(`/api/tasks/${encodeURIComponent(taskId)}/polls`, { signal, query: { since } });
  return [...last, ...found.filter(({ poll }) => poll > since)];
}

function Polls({ task }: { task: Task }) {
  const live = usePolls(task);
  const plan = planOf(task);
  return (
    <Shown live={live} what="polls">
      {(polls) =>
        polls.length === 0 ? (
          <Empty>{`${task.referenceTaskName} has not been looked at yet.`}</Empty>
        ) : (
          <>
            <p>{inWords(polls)}</p>
            <Chart polls={polls} plan={plan} />
            <PollTable task={task} polls={polls} plan={plan} />
          </>
        )
      }
    </Shown>
  );
}

/** An Air Pipe action tells nowhere here how long it waits: no wait of its is called a longer one. */
function planOf(task: Task): PollPlan {
  const plan = pollPlan(task);
  return task.taskType === "HTTP_POLL" ? plan : { ...plan, interval: Number.POSITIVE_INFINITY };
}

function inWords(polls: readonly Poll[]): string {
  const { errors, slowed, medianLatency, worstLatency, worstLateness } = summary(polls);
  const trouble = [...(errors > 0 ? [count(errors, "error")] : []), ...(slowed > 0 ? [`asked ${slowed === 1 ? "once" : `${slowed} times`} to slow down`] : [])];
  const speed = `answered in ${length(medianLatency)} mostly, ${length(worstLatency)} at worst; made ${length(worstLateness)} late at worst`;
  return `${[count(polls.length, "poll"), ...trouble].join(", ")}; ${speed}.`;
}

function Chart({ polls, plan }: { polls: readonly Poll[]; plan: PollPlan }) {
  const code = useOnce("chart", () => import("./chart.tsx"));
  if (polls.length < 2) return null;
  if (!code.value) return code.error ? <p class="quiet">The chart could not be loaded; the table tells the same.</p> : <Loading what="the chart" />;
  const { PollChart } = code.value;
  return <PollChart polls={polls} marks={marksOf(polls, plan)} label={inWords(polls)} />;
}
