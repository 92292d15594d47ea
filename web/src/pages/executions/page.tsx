// Executions: which runs there are, what each waits for, and how to find one.
import { useLocation } from "preact-iso";
import { Empty, Shown } from "../../parts/problem.tsx";
import { Title } from "../../parts/title.tsx";
import { now } from "../../server/clock.ts";
import { Refused } from "../../server/client.ts";
import { useLive } from "../../server/live.ts";
import { Filtering } from "./filtering.tsx";
import { ALL, addressOf, filtersFrom, isAll, placed } from "./filters.ts";
import type { Filters } from "./filters.ts";
import { List } from "./list.tsx";
import { look, pace } from "./looking.ts";
import type { Listed } from "./looking.ts";
import { None, NoneSuch } from "./nothing.tsx";
import { following, pageWords } from "./paging.ts";

export default function Page() {
  const { query, route } = useLocation();
  const filters = filtersFrom(query);
  const address = addressOf(filters);
  const live = useLive<Listed>(address, (signal, last) => look(filters, now.peek(), signal, last), (listed) => pace(listed, now.peek()));
  const refused = live.error instanceof Refused && live.error.status === 400 ? placed(live.error.message, filters, now.peek()) : "";
  const own = filters.query !== "" ? refused : "";
  return (
    <>
      <Title name="Executions" />
      <Filtering filters={filters} refused={own} onChange={(next) => route(addressOf({ ...next, pages: [] }))} />
      {own && live.value === undefined ? (
        <Empty>The search language above tells what is wrong with the query.</Empty>
      ) : (
        <Shown live={live} what="executions">
          {(listed) => <Found listed={listed} filters={filters} />}
        </Shown>
      )}
    </>
  );
}

function Found({ listed, filters }: { listed: Listed; filters: Filters }) {
  if (listed.runs.length === 0 && filters.pages.length === 0) return isAll(filters) ? <None /> : <NoneSuch everything={addressOf(ALL)} />;
  return (
    <>
      <List listed={listed} filters={filters} />
      <Paging filters={filters} listed={listed} />
    </>
  );
}

/** `1,204 executions`, `more than 1,000 executions`. */
function countOf(total: number, more: boolean): string {
  const amount = total.toLocaleString("en-US");
  return more ? `more than ${amount} executions` : total === 1 ? "1 execution" : `${amount} executions`;
}

function Paging({ filters, listed: { total, more, next } }: { filters: Filters; listed: Listed }) {
  const { pages } = filters;
  return (
    <nav class="runs-paging" aria-label="Pages">
      {pages.length > 0 ? <a href={addressOf({ ...filters, pages: pages.slice(0, -1) })}>← Newer</a> : <span class="quiet">← Newer</span>}
      <span class="quiet" role="status">
        {pageWords(pages, countOf(total, more))}
      </span>
      {next ? <a href={addressOf({ ...filters, pages: following(pages, next) })}>Older →</a> : <span class="quiet">Older →</span>}
    </nav>
  );
}
