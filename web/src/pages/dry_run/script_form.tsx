// The form of what vendors answer: for each step that calls one, its answers in their order.
import { type Line, NEW_LINE, type Script } from "./script.ts";

interface Props {
  scripts: readonly Script[];
  onChange: (scripts: readonly Script[]) => void;
}

export function ScriptForm({ scripts, onChange }: Props) {
  if (scripts.length === 0) return <p class="quiet">No step of this definition calls a vendor.</p>;
  const change = (index: number, lines: readonly Line[]) => onChange(scripts.map((script, at) => (at === index ? { ...script, lines } : script)));
  return (
    <>
      {scripts.map((script, index) => (
        <fieldset key={script.taskReferenceName}>
          <legend>
            What <strong>{script.taskReferenceName}</strong> <span class="quiet">{script.type}</span> is answered
          </legend>
          <Lines name={script.taskReferenceName} lines={script.lines} onChange={(lines) => change(index, lines)} />
        </fieldset>
      ))}
    </>
  );
}

function Lines({ name, lines, onChange }: { name: string; lines: readonly Line[]; onChange: (lines: readonly Line[]) => void }) {
  const change = (index: number, change: Partial<Line>) => onChange(lines.map((line, at) => (at === index ? { ...line, ...change } : line)));
  return (
    <>
      <ol class="answers">
        {lines.map((line, index) => (
          <li key={index}>
            <Answer line={line} last={index === lines.length - 1} name={`${name} ${index + 1}`} onChange={(part) => change(index, part)} />
            {lines.length > 1 && (
              <button type="button" class="plain" aria-label={`Remove answer ${index + 1} of ${name}`} onClick={() => onChange(lines.filter((_, at) => at !== index))}>
                ✕
              </button>
            )}
          </li>
        ))}
      </ol>
      <button type="button" class="plain" onClick={() => onChange([...lines, NEW_LINE])}>
        Another answer
      </button>
    </>
  );
}

function Answer({ line, last, name, onChange }: { line: Line; last: boolean; name: string; onChange: (part: Partial<Line>) => void }) {
  return (
    <>
      <label>
        Status
        <input class="short" inputMode="numeric" name={`${name} status`} value={line.statusCode} onInput={(event) => onChange({ statusCode: event.currentTarget.value })} />
      </label>
      <label class="grows">
        Body
        <input class="mono" name={`${name} body`} value={line.body} spellcheck={false} onInput={(event) => onChange({ body: event.currentTarget.value })} />
      </label>
      <label>
        Retry-After
        <input class="short" name={`${name} retry after`} value={line.retryAfter} placeholder="–" onInput={(event) => onChange({ retryAfter: event.currentTarget.value })} />
      </label>
      <label>
        Times
        <input
          class="short"
          inputMode="numeric"
          name={`${name} times`}
          value={line.times}
          placeholder={last ? "always" : "1"}
          onInput={(event) => onChange({ times: event.currentTarget.value })}
        />
      </label>
    </>
  );
}
