// The fields of a run's input, and the JSON that they become as one types: for a start and for a dry run.
import { type Field, inputOf } from "./fields.ts";

export type Texts = Readonly<Record<string, string>>;

export function Fields({ fields, texts, onChange }: { fields: readonly Field[]; texts: Texts; onChange: (texts: Texts) => void }) {
  return (
    <>
      {fields.map((field) => (
        <label key={field.name}>
          <strong>{field.name}</strong>
          {field.needed && " (needed)"} <span class="quiet">{field.help}</span>
          <Control field={field} text={texts[field.name] ?? field.begun} onText={(text) => onChange({ ...texts, [field.name]: text })} />
        </label>
      ))}
      <section class="json" aria-label="What is sent">
        <h3>What is sent</h3>
        <pre>{asText(fields, texts)}</pre>
      </section>
    </>
  );
}

function Control({ field, text, onText }: { field: Field; text: string; onText: (text: string) => void }) {
  const shared = { name: `input.${field.name}`, value: text, required: field.needed };
  switch (field.kind) {
    case "boolean":
    case "choice":
      return (
        <select {...shared} onInput={(event) => onText(event.currentTarget.value)}>
          <option value="">–</option>
          {(field.kind === "boolean" ? ["true", "false"] : field.choices).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      );
    case "json":
      return <textarea {...shared} rows={4} spellcheck={false} onInput={(event) => onText(event.currentTarget.value)} />;
    default:
      return (
        <input
          {...shared}
          inputMode={field.kind === "number" ? "decimal" : "text"}
          autoComplete="off"
          placeholder={field.kind === "any" ? 'text, or JSON: 5, true, {"a": 1}; "5" is a text' : ""}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
  }
}

/** The input as it would be sent, or what is wrong with it. */
export function asText(fields: readonly Field[], texts: Texts): string {
  try {
    return JSON.stringify(inputOf(fields, texts), null, 2);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
