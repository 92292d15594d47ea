// Starting a run: a form from the definition's input, the JSON that it becomes, and the way to the run.
import { useLocation } from "preact-iso";
import { useMemo, useState } from "preact/hooks";
import type { JsonObject, WorkflowDef } from "../../conductor/types.ts";
import { Refusal } from "../../parts/problem.tsx";
import { ask } from "../../server/client.ts";
import { noteRefusal } from "../../server/session.ts";
import { runAddress } from "../../shell/addresses.ts";
import { Inexact, exactly } from "../../words/exact.ts";
import { fieldsOf, inputOf } from "./fields.ts";
import { Fields, type Texts, asText } from "./input_fields.tsx";

export default function Start({ definition }: { definition: WorkflowDef }) {
  const { route } = useLocation();
  const fields = useMemo(() => fieldsOf(definition), [definition]);
  const [texts, setTexts] = useState<Texts>({});
  const [whole, setWhole] = useState<string | null>(fields.length === 0 ? "{}" : null);
  const [problem, setProblem] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const correlationId = String(new FormData(event.currentTarget as HTMLFormElement).get("correlationId") ?? "").trim();
    try {
      const input = whole === null ? inputOf(fields, texts) : wholeInput(whole);
      const { name, version } = definition;
      const body = { name, version, input, ...(correlationId ? { correlationId } : {}) };
      const id = await ask<string>("/api/workflow", { method: "POST", body });
      route(runAddress(id));
    } catch (error) {
      noteRefusal(error);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form class="form start" onSubmit={submit}>
      {whole === null ? <Fields fields={fields} texts={texts} onChange={setTexts} /> : <Whole text={whole} onChange={setWhole} />}
      {fields.length > 0 && (
        <button type="button" class="plain" onClick={() => setWhole(whole === null ? asText(fields, texts) : null)}>
          {whole === null ? "Write the input as JSON" : "Back to the form"}
        </button>
      )}
      <label>
        Correlation id (optional: what you know this run by)
        <input name="correlationId" autoComplete="off" />
      </label>
      <Refusal message={problem} />
      <div class="buttons">
        <button type="submit">{`Start ${definition.name}`}</button>
      </div>
    </form>
  );
}

function Whole({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <label>
      Input as JSON
      <textarea class="mono" rows={12} spellcheck={false} value={text} onInput={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}

function wholeInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = exactly(text);
  } catch (error) {
    if (error instanceof Inexact) throw error;
    throw new Error(`The input is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!value || typeof value !== "object" || Array.isArray(value)) throw new Error('The input must be an object, such as {"a": 1}.');
  return value as JsonObject;
}
