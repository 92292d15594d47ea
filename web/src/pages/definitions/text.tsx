// A definition's text: to read, and for who may, to change, with what the server finds beside the lines.
import { useLocation } from "preact-iso";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { WorkflowDef } from "../../conductor/types.ts";
import { later } from "../../parts/later.tsx";
import { Act } from "../../parts/act.tsx";
import { noteRefusal, may } from "../../server/session.ts";
import { definitionAddress } from "../../shell/addresses.ts";
import { type Finding, check, marks, save } from "./checking.ts";
import { plain } from "./plain.ts";

const Editor = later(() => import("../../editor/editor.tsx"));

/** So long after the last key the server is asked. Milliseconds. */
const PAUSE = 600;
/** The role that the server's check takes. */
const CHECKS = "operator";

export default function Text({ definition, saved }: { definition: WorkflowDef; saved: () => void }) {
  const { route } = useLocation();
  const kept = useMemo(() => JSON.stringify(plain(definition), null, 2), [definition]);
  const after = (to: { name: string; version: number }) => {
    saved();
    route(`${definitionAddress(to.name, to.version)}?tab=text`);
  };
  return <Editing begun={kept} after={after} />;
}

/** The editor with its findings and its save button. `begun`: the text it begins with. */
export function Editing({ begun, after }: { begun: string; after: (saved: { name: string; version: number }) => void }) {
  const [text, setText] = useState(begun);
  useEffect(() => setText(begun), [begun]);
  const checked = useChecked(text);
  const shown = useMemo(() => marks(text, checked.findings), [text, checked]);
  const ready = checked.of === text && !checked.findings.some(({ severity }) => severity === "error");
  return (
    <>
      <Editor label="Definition as JSON" text={text} onChange={setText} marks={shown} readOnly={!may("admin")} />
      {may(CHECKS) && <Findings checked={checked} text={text} />}
      <div class="buttons">
        <Act
          label="Save"
          needs="admin"
          disabled={text === begun || !ready}
          says={<p>Runs that have begun keep the definition they began with. New runs take this one. Give it another version number to keep both.</p>}
          run={async () => after(await save(text))}
        />
      </div>
    </>
  );
}

interface Checked {
  /** The text that was looked at; undefined before the first look. */
  of?: string;
  findings: readonly Finding[];
  problem?: string;
}

/** What the server finds in the text, a pause after the last key. */
function useChecked(text: string): Checked {
  const [checked, setChecked] = useState<Checked>({ findings: [] });
  useEffect(() => {
    if (!may(CHECKS)) return undefined;
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setChecked({ of: text, findings: await check(text, asking.signal) });
      } catch (error) {
        if (asking.signal.aborted) return;
        noteRefusal(error);
        setChecked({ findings: [], problem: error instanceof Error ? error.message : String(error) });
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text]);
  return checked;
}

function Findings({ checked: { of, findings, problem }, text }: { checked: Checked; text: string }) {
  return (
    <div role="status">
      {problem ?? (of !== text ? "Checking…" : findings.length === 0 && "Nothing to say against it.")}
      {of === text && findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding, index) => (
            <Told key={index} finding={finding} text={text} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Told({ finding, text }: { finding: Finding; text: string }) {
  const { severity, path, message } = finding;
  return (
    <li class={severity}>
      <strong>{severity}</strong>
      {path && (
        <>
          {" "}
          line {lineOf(text, finding)}, <code>{path}</code>
        </>
      )}
      : {message}
    </li>
  );
}

function lineOf(text: string, finding: Finding): number {
  const [mark] = marks(text, [finding]);
  return text.slice(0, mark?.from ?? 0).split("\n").length;
}
