// A dry run of a definition: its input, what vendors answer, and on the virtual clock of the server what would happen.
import { useMemo, useState } from "preact/hooks";
import type { WorkflowDef } from "../../conductor/types.ts";
import { Refusal } from "../../parts/problem.tsx";
import { ask } from "../../server/client.ts";
import { noteRefusal } from "../../server/session.ts";
import { fieldsOf, inputOf } from "../definitions/fields.ts";
import { Fields, type Texts } from "../definitions/input_fields.tsx";
import { Outcome, type Rehearsed } from "./outcome.tsx";
import { answersOf, begun } from "./script.ts";
import { ScriptForm } from "./script_form.tsx";

export default function DryRun({ definition }: { definition: WorkflowDef }) {
  const fields = useMemo(() => fieldsOf(definition), [definition]);
  const [texts, setTexts] = useState<Texts>({});
  const [scripts, setScripts] = useState(() => begun(definition));
  const [state, setState] = useState<{ rehearsed?: Rehearsed; problem?: string; busy?: boolean }>({});
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      const body = { workflowDef: definition, input: inputOf(fields, texts), answers: answersOf(scripts) };
      setState({ rehearsed: await ask<Rehearsed>("/api/workflow/dry-run", { method: "POST", body }) });
    } catch (error) {
      noteRefusal(error);
      setState({ problem: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      <p class="quiet">Nothing is called and nothing is kept: the clock and the vendors are made up, the engine is the real one.</p>
      <form class="form" onSubmit={submit}>
        <Fields fields={fields} texts={texts} onChange={setTexts} />
        <ScriptForm scripts={scripts} onChange={setScripts} />
        <Refusal message={state.problem} />
        <div class="buttons">
          <button type="submit" disabled={state.busy}>
            {state.busy ? "…" : "Run it dry"}
          </button>
        </div>
      </form>
      {state.rehearsed && <Outcome rehearsed={state.rehearsed} />}
    </>
  );
}
