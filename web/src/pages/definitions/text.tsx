// A definition's text: to read, and for who may, to change, with what the server finds beside the lines.
import { lazy, useLocation } from "preact-iso";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { WorkflowDef } from "../../conductor/types.ts";
import { Act } from "../../parts/act.tsx";
import { noteRefusal, may } from "../../server/session.ts";
import { type Finding, check, marks, save } from "./checking.ts";
import { plain } from "./plain.ts";
import { definitionAddress } from "./steps.ts";

const Editor = lazy(() => import("../../editor/editor.tsx"));

/** So long after the last key the server is asked. Milliseconds. */
const PAUSE = 600;

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
  const { findings, problem } = useFindings(text);
  const shown = useMemo(() => marks(text, findings), [findings]);
  const wrong = findings.some(({ severity }) => severity === "error");
  return (
    <>
      <Editor label="Definition as JSON" text={text} onChange={setText} marks={shown} readOnly={!may("admin")} />
      <Findings findings={findings} text={text} />
      {problem && <p role="alert">{problem}</p>}
      <div class="buttons">
        <Act
          label="Save"
          needs="admin"
          disabled={text === begun || wrong}
          says={<p>Runs that have begun keep the definition they began with. New runs take this one. Give it another version number to keep both.</p>}
          run={async () => after(await save(text))}
        />
      </div>
    </>
  );
}

function useFindings(text: string): { findings: readonly Finding[]; problem: string } {
  const [state, setState] = useState<{ findings: readonly Finding[]; problem: string }>({ findings: [], problem: "" });
  useEffect(() => {
    if (!may("operator")) return undefined; // the check takes that role
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setState({ findings: await check(text, asking.signal), problem: "" });
      } catch (error) {
        if (asking.signal.aborted) return;
        noteRefusal(error);
        setState({ findings: [], problem: error instanceof Error ? error.message : String(error) });
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text]);
  return state;
}

function Findings({ findings, text }: { findings: readonly Finding[]; text: string }) {
  if (findings.length === 0) return <p role="status" class="quiet">Nothing to say against it.</p>;
  return (
    <ul class="findings" role="status">
      {findings.map((finding, index) => (
        <li key={index} class={finding.severity}>
          <strong>{finding.severity}</strong>
          {finding.path && (
            <>
              {" "}
              line {lineOf(text, finding)}, <code>{finding.path}</code>
            </>
          )}
          : {finding.message}
        </li>
      ))}
    </ul>
  );
}

function lineOf(text: string, finding: Finding): number {
  const [mark] = marks(text, [finding]);
  return text.slice(0, mark?.from ?? 0).split("\n").length;
}
