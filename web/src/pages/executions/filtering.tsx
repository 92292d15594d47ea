// The filters above the list. What is chosen goes into the address at once; what is written, when it is sent.
import type { InputHTMLAttributes } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { WORKFLOW_STATUSES } from "../../conductor/types.ts";
import type { WorkflowStatus } from "../../conductor/types.ts";
import { StatusMark } from "../../parts/status.tsx";
import { ask } from "../../server/client.ts";
import { ALL, SPANS, addressOf, isAll } from "./filters.ts";
import type { Filters, Span } from "./filters.ts";

interface Props {
  filters: Filters;
  /** What the server said of the query it could not read. */
  refused: string;
  onChange: (filters: Filters) => void;
}

const SPAN_WORDS: Readonly<Record<Span, string>> = { "1h": "last hour", "24h": "last 24 hours", "7d": "last 7 days", "30d": "last 30 days" };

export function Filtering({ filters, refused, onChange }: Props) {
  const [between, setBetween] = useState(filters.from !== null || filters.to !== null);
  useEffect(() => setBetween(filters.from !== null || filters.to !== null), [filters.from, filters.to]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onChange(written(filters, new FormData(event.currentTarget as HTMLFormElement), between));
  };
  const span = (value: string) => {
    setBetween(value === "between");
    if (value !== "between") onChange({ ...filters, from: null, to: null, span: value in SPANS ? (value as Span) : null });
  };
  return (
    <form class="runs-filters" role="search" aria-label="Executions" onSubmit={submit}>
      <Statuses chosen={filters.statuses} onChange={(statuses) => onChange({ ...filters, statuses })} />
      <div class="filter-fields">
        <Definition value={filters.definition} />
        <Field name="correlation" label="Correlation id" value={filters.correlation} />
        <Field name="host" label="Vendor host" value={filters.host} placeholder="exports.example" />
        <label>
          Started
          <select value={between ? "between" : (filters.span ?? "")} onChange={(event) => span(event.currentTarget.value)}>
            <option value="">at any time</option>
            {Object.entries(SPAN_WORDS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
            <option value="between">between…</option>
          </select>
        </label>
        {between && <Moment name="from" label="From" value={filters.from} />}
        {between && <Moment name="to" label="To" value={filters.to} />}
        <label class="check">
          <input type="checkbox" name="top" checked={filters.top} onChange={(event) => onChange({ ...filters, top: event.currentTarget.checked })} />
          Without sub-workflows
        </label>
        <button type="submit" class="primary">
          Find
        </button>
        {!isAll(filters) && <a href={addressOf(ALL)}>Clear</a>}
      </div>
      <Raw value={filters.query} refused={refused} />
    </form>
  );
}

function written(filters: Filters, fields: FormData, between: boolean): Filters {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  const time = (name: string) => (between ? Date.parse(text(name)) || null : null);
  const range = between ? { span: null, from: time("from"), to: time("to") } : {};
  return { ...filters, definition: text("definition"), correlation: text("correlation"), host: text("host"), query: text("query"), ...range };
}

function Statuses({ chosen, onChange }: { chosen: readonly WorkflowStatus[]; onChange: (statuses: readonly WorkflowStatus[]) => void }) {
  const toggled = (status: WorkflowStatus) => WORKFLOW_STATUSES.filter((one) => chosen.includes(one) !== (one === status));
  return (
    <fieldset class="statuses">
      <legend class="hidden-visually">Status</legend>
      {WORKFLOW_STATUSES.map((status) => (
        <button key={status} type="button" aria-pressed={chosen.includes(status)} onClick={() => onChange(toggled(status))}>
          <StatusMark status={status} />
        </button>
      ))}
    </fieldset>
  );
}

/** The names are fetched when somebody comes to the field. */
function Definition({ value }: { value: string }) {
  const [names, setNames] = useState<readonly string[]>([]);
  const load = () => {
    if (names.length > 0) return;
    ask<Readonly<Record<string, unknown>>>("/api/metadata/workflow/names-and-versions").then((found) => setNames(Object.keys(found).sort()), () => undefined);
  };
  return (
    <label>
      Definition
      <Input name="definition" type="search" list="definition-names" said={value} onFocus={load} />
      <datalist id="definition-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

function Field({ name, label, value, placeholder }: { name: string; label: string; value: string; placeholder?: string }) {
  return (
    <label>
      {label}
      <Input name={name} type="search" said={value} placeholder={placeholder} />
    </label>
  );
}

/** What somebody writes stays, and so does the keyboard in it, until the address says something else. */
function Input({ said, ...rest }: InputHTMLAttributes<HTMLInputElement> & { said: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = said;
  }, [said]);
  return <input ref={field} autoComplete="off" spellcheck={false} {...rest} />;
}

function Moment({ name, label, value }: { name: string; label: string; value: number | null }) {
  return (
    <label>
      {label}
      <Input name={name} type="datetime-local" said={value === null ? "" : local(value)} />
    </label>
  );
}

/** As `datetime-local` wants it: `2026-01-01T12:00`, in the zone of whoever looks. */
function local(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function Raw({ value, refused }: { value: string; refused: string }) {
  return (
    <details class="raw-query" open={value !== "" || refused !== ""}>
      <summary>Search language</summary>
      <label>
        Query
        <Input name="query" class="mono" type="search" said={value} maxLength={8000} aria-invalid={refused !== ""} aria-describedby="query-says" />
      </label>
      <div id="query-says">
        {refused ? (
          <p class="refused" role="alert">
            {refused}
          </p>
        ) : (
          <p class="quiet">
            For instance <code>reasonForIncompletion = "*quota*" AND version = 3</code>, <code>workflowType STARTS_WITH export</code>, <code>executionTime &gt; 60000</code>; AND, OR, brackets,
            and <code>*</code> for anything.
          </p>
        )}
      </div>
    </details>
  );
}
