// What starts by the clock: schedules, when they start next, what they started.
import { useState } from "preact/hooks";
import type { Schedule } from "../../conductor/standing_orders.ts";
import { Act } from "../../parts/act.tsx";
import { Countdown } from "../../parts/moment.tsx";
import { Empty, Shown } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { Title } from "../../parts/title.tsx";
import { ask } from "../../server/client.ts";
import { now } from "../../server/clock.ts";
import { useLive } from "../../server/live.ts";
import { definitionAddress } from "../../shell/addresses.ts";
import { count } from "../../words/sizes.ts";
import { Past } from "./past.tsx";

const LIST = "/api/scheduler/schedules";

export default function Page() {
  const live = useLive("schedules", (signal) => ask<readonly Schedule[]>(LIST, { signal }), soonAfterTheNext);
  const [chosen, choose] = useState<string | null>(null);
  return (
    <>
      <Title name="Schedules" />
      <Shown live={live} what="schedules">
        {(schedules) => (schedules.length === 0 ? <None /> : <List schedules={schedules} again={live.again} chosen={chosen} choose={choose} />)}
      </Shown>
      {chosen && <Past name={chosen} key={chosen} />}
    </>
  );
}

function None() {
  return (
    <Empty>
      <p>No schedule starts anything by the clock yet.</p>
      <pre>{`fermata schedule create -n nightly -c '0 0 3 * * ?' -w NAME`}</pre>
    </Empty>
  );
}

/** Looks again just after the next start, at least every minute and at most every five seconds. */
function soonAfterTheNext(schedules: readonly Schedule[]): number {
  const times = schedules.flatMap(({ nextRunTime }) => (nextRunTime ? [nextRunTime - now.value + 2000] : []));
  return Math.min(60_000, Math.max(5_000, ...(times.length > 0 ? [Math.min(...times)] : [])));
}

interface ListProps {
  schedules: readonly Schedule[];
  again: () => void;
  chosen: string | null;
  choose: (name: string | null) => void;
}

function List({ schedules, again, chosen, choose }: ListProps) {
  return (
    <Table
      caption={count(schedules.length, "schedule")}
      rows={schedules}
      keyOf={({ name }) => name}
      columns={[
        { title: "Schedule", cell: ({ name, description }) => <Named name={name} description={description} /> },
        { title: "When", cell: (schedule) => <Crons schedule={schedule} /> },
        { title: "Starts", cell: ({ startWorkflowRequest }) => <Definition name={startWorkflowRequest?.name} /> },
        { title: "Next start", cell: ({ paused, nextRunTime }) => (paused ? <span class="status status-held">paused</span> : <Countdown time={nextRunTime} />) },
        {
          title: "Runs",
          cell: ({ name }) => (
            <button type="button" aria-pressed={chosen === name} onClick={() => choose(chosen === name ? null : name)}>
              Past runs
            </button>
          ),
        },
        { title: "Change", cell: (schedule) => <Hold schedule={schedule} again={again} /> },
      ]}
    />
  );
}

function Named({ name, description }: { name: string; description: string | undefined }) {
  return (
    <>
      <strong>{name}</strong>
      {description && <div class="quiet">{description}</div>}
    </>
  );
}

function Crons({ schedule }: { schedule: Schedule }) {
  const several = schedule.cronSchedules ?? [];
  const crons = several.length > 0 ? several : schedule.cronExpression ? [{ cronExpression: schedule.cronExpression }] : [];
  return (
    <>
      {crons.map((cron) => (
        <div key={cron.cronExpression}>
          <code>{cron.cronExpression}</code> <span class="quiet">{("zoneId" in cron && cron.zoneId) || schedule.zoneId || "UTC"}</span>
        </div>
      ))}
    </>
  );
}

function Definition({ name }: { name: string | undefined }) {
  return name ? <a href={definitionAddress(name)}>{name}</a> : <span class="quiet">–</span>;
}

function Hold({ schedule, again }: { schedule: Schedule; again: () => void }) {
  const verb = schedule.paused ? "Resume" : "Pause";
  const says = schedule.paused ? "starts runs again from its next time on. Times that passed are not made up for." : "starts nothing until it is resumed.";
  return (
    <Act
      label={verb}
      needs="admin"
      says={<p>{`${schedule.name} ${says}`}</p>}
      run={() => ask(`${LIST}/${encodeURIComponent(schedule.name)}/${verb.toLowerCase()}`, { method: "PUT" })}
      done={again}
    />
  );
}
