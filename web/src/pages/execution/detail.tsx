// One task beside the list: what it waits for, its facts, attempts, payloads, request, logs.
import { useEffect, useRef } from "preact/hooks";
import type { Task, Workflow } from "../../conductor/types.ts";
import { JsonBlock } from "../../parts/json.tsx";
import { At, Countdown } from "../../parts/moment.tsx";
import { StatusMark } from "../../parts/status.tsx";
import { now } from "../../server/clock.ts";
import { runAddress } from "../../shell/addresses.ts";
import { told } from "../../words/awaited.ts";
import { closed } from "../../words/plain.ts";
import { length } from "../../words/time.ts";
import { taskAddress } from "./address.ts";
import { Fact } from "./head.tsx";
import { Logs } from "./logs.tsx";
import { wholeTask } from "./look.ts";
import { RawTask } from "./raw_task.tsx";
import { Request } from "./request.tsx";
import { type Row, polls } from "./rows.ts";
import { TaskActions } from "./task_actions.tsx";

interface Props {
  run: Workflow;
  row: Row;
  task: Task;
  /** Whether the panel was opened by the person, rather than by the address that the page was opened with. */
  focus: boolean;
  /** Look at the run again: after something was done. */
  again: () => void;
}

export function Detail({ run, row, task, focus, again }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, []);
  return (
    <aside class="detail" aria-label={`Task ${task.referenceTaskName}`}>
      <div class="beside">
        <h2 ref={heading} tabIndex={-1}>
          {task.referenceTaskName} <StatusMark status={task.status} />
        </h2>
        <a class="close" href={taskAddress(null)} aria-label="Close the task">
          ✕
        </a>
      </div>
      <Waits run={run} task={task} />
      {task.reasonForIncompletion && <p class="problem">{task.reasonForIncompletion}</p>}
      <Facts task={task} />
      {task.taskId === row.latest.taskId && <TaskActions workflow={run} reference={task.referenceTaskName} task={task} again={again} />}
      <Attempts row={row} task={task} />
      <Payload task={task} name="input" />
      <Payload task={task} name="output" />
      <Request task={task} />
      <Logs taskId={task.taskId} />
      <RawTask taskId={task.taskId} />
    </aside>
  );
}

function Waits({ run, task }: { run: Workflow; task: Task }) {
  const thing = run.waitingFor?.find(({ taskId }) => taskId === task.taskId);
  if (!thing) return null;
  const { head, details } = told(thing, task, now.value);
  return <p>{closed(`waiting for ${head}${details.length > 0 ? `: ${details.join(", ")}` : ""}`)}</p>;
}

function Facts({ task }: { task: Task }) {
  const began = task.startTime || undefined;
  return (
    <dl class="facts">
      <Fact name="Type">{task.taskType}</Fact>
      {task.taskDefName && task.taskDefName !== task.referenceTaskName && <Fact name="Name">{task.taskDefName}</Fact>}
      {(task.iteration ?? 0) > 0 && <Fact name="Iteration">{task.iteration}</Fact>}
      <Fact name="Scheduled">
        <At time={task.scheduledTime || undefined} />
      </Fact>
      {began && (
        <Fact name="Began">
          <At time={began} /> {!!task.queueWaitTime && <span class="quiet">{`(${length(task.queueWaitTime)} in the queue)`}</span>}
        </Fact>
      )}
      {!!task.endTime && (
        <Fact name="Ended">
          <At time={task.endTime} /> {began && <span class="quiet">{`(after ${length(task.endTime - began)})`}</span>}
        </Fact>
      )}
      {task.workerId && <Fact name="Worker">{task.workerId}</Fact>}
      {task.domain && <Fact name="Domain">{task.domain}</Fact>}
      <Polled task={task} />
      {task.subWorkflowId && (
        <Fact name="Sub-workflow">
          <a href={runAddress(task.subWorkflowId)}>{task.subWorkflowId}</a>
        </Fact>
      )}
      <Fact name="Id">
        <span class="mono">{task.taskId}</span>
      </Fact>
    </dl>
  );
}

function Polled({ task }: { task: Task }) {
  if (!polls(task)) return null;
  return (
    <>
      <Fact name="Polls">
        {task.pollCount ?? 0} <a href={taskAddress(task.taskId, "ledger")}>See each</a>
      </Fact>
      {!!task.nextPollTime && (
        <Fact name="Next look">
          <Countdown time={task.nextPollTime} />
        </Fact>
      )}
    </>
  );
}

function Attempts({ row: { attempts }, task }: { row: Row; task: Task }) {
  if (attempts.length < 2) return null;
  return (
    <section class="attempts" aria-label="Attempts">
      <h3>Attempts</h3>
      <ol>
        {attempts.map((each) => (
          <li key={each.taskId}>
            <a href={taskAddress(each.taskId)} aria-current={each.taskId === task.taskId ? "true" : undefined}>
              <At time={each.startTime || each.scheduledTime} />
            </a>{" "}
            <StatusMark status={each.status} /> <span class="quiet small">{each.reasonForIncompletion?.slice(0, 160)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Payload({ task, name }: { task: Task; name: "input" | "output" }) {
  const field = `${name}Data` as const;
  return (
    <JsonBlock
      title={name === "input" ? "Input" : "Output"}
      value={task[field]}
      size={task[`${field}Size`]}
      fetchWhole={async () => (await wholeTask(task.taskId))[field]}
    />
  );
}
