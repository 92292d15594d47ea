// The head of the page: the sentence, and the facts about the run as a whole.
import type { ComponentChildren } from "preact";
import type { Cost } from "../../conductor/awaited.ts";
import type { Workflow } from "../../conductor/types.ts";
import { Copy } from "../../parts/copy.tsx";
import { Ago, At } from "../../parts/moment.tsx";
import { StatusMark } from "../../parts/status.tsx";
import { Title } from "../../parts/title.tsx";
import { ask } from "../../server/client.ts";
import { now } from "../../server/clock.ts";
import { useLive } from "../../server/live.ts";
import { definitionAddress, runAddress, runsAddress } from "../../shell/addresses.ts";
import { dollars } from "../../words/money.ts";
import { sentence } from "../../words/sentence.ts";
import { count } from "../../words/sizes.ts";
import { length } from "../../words/time.ts";
import { Actions } from "./actions.tsx";

const COST_EVERY = 60_000;
const CHILDREN = 5;

export function Head({ run, again }: { run: Workflow; again: () => void }) {
  return (
    <header class="run-head">
      <div class="beside">
        <Title name={`${run.workflowName}: ${run.status.toLowerCase()}`}>
          <a class="run-name" href={definitionAddress(run.workflowName, run.workflowVersion)}>
            {run.workflowName}
          </a>{" "}
          <span class="version">version {run.workflowVersion}</span> <StatusMark status={run.status} />
        </Title>
        <Actions workflow={run} again={again} />
      </div>
      <Sentence run={run} />
      <Facts run={run} />
    </header>
  );
}

/** It alone is drawn anew each second. */
function Sentence({ run }: { run: Workflow }) {
  return <p class="sentence">{sentence(run, now.value)}</p>;
}

function Facts({ run }: { run: Workflow }) {
  const began = run.startTime || run.createTime;
  return (
    <dl class="facts">
      <Fact name="Started">
        <At time={began} /> <span class="quiet">(<Ago time={began} />)</span>
      </Fact>
      {!!run.endTime && (
        <Fact name="Ended">
          <At time={run.endTime} /> {began && <span class="quiet">{`(after ${length(run.endTime - began)})`}</span>}
        </Fact>
      )}
      <Fact name="Id">
        <span class="mono">{run.workflowId}</span> <Copy text={run.workflowId} />
      </Fact>
      {run.correlationId && (
        <Fact name="Correlation id">
          <a href={runsAddress({ correlation: run.correlationId })}>{run.correlationId}</a>
        </Fact>
      )}
      <Family run={run} />
      <Spent run={run} />
      {run.reasonForIncompletion && <Fact name="Reason">{run.reasonForIncompletion}</Fact>}
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Family({ run }: { run: Workflow }) {
  const children = (run.tasks ?? []).filter((task) => task.subWorkflowId);
  return (
    <>
      {run.parentWorkflowId && (
        <Fact name="Started by">
          <a href={runAddress(run.parentWorkflowId)}>its parent {run.parentWorkflowId}</a>
        </Fact>
      )}
      {children.length > 0 && (
        <Fact name="Sub-workflows">
          {children.slice(0, CHILDREN).map((task) => (
            <a key={task.taskId} class="child" href={runAddress(task.subWorkflowId!)}>
              {task.referenceTaskName}
            </a>
          ))}
          {children.length > CHILDREN && <span class="quiet">{`and ${children.length - CHILDREN} more, among the tasks`}</span>}
        </Fact>
      )}
    </>
  );
}

/** Nothing where the server cannot tell. */
function Spent({ run }: { run: Workflow }) {
  const over = !!run.endTime;
  const { value: cost } = useLive(
    `${run.workflowId} ${run.status}`,
    (signal) => ask<Cost>(`/api/workflow/${encodeURIComponent(run.workflowId)}/cost`, { signal }),
    () => (over ? null : COST_EVERY),
  );
  if (!cost) return null;
  return (
    <Fact name={over ? "Cost" : "Cost so far"}>
      {`about ${dollars(cost.usd)}`}{" "}
      <span class="quiet" title={`AWS list prices as of ${cost.pricesAsOf}`}>
        {`(${count(cost.requests, "request")}, ${count(cost.invocations, "invocation")}, ${count(Math.round(cost.writeUnits), "write unit")})`}
      </span>
    </Fact>
  );
}
