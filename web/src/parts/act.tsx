// A button that changes something: shown to whoever may, asks before it does, takes a reason, and tells what came of it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Role, may, noteRefusal } from "../server/session.ts";
import { Dialog } from "./dialog.tsx";
import { Refusal } from "./problem.tsx";

interface Props {
  /** What the button says: a verb. */
  label: string;
  /** The least role that may. Others see no button. */
  needs: Role;
  /** What will happen, as a sentence, and what cannot be undone; with fields when there is something to choose. */
  says: ComponentChildren;
  /** Whether a reason is asked for. It is never demanded. */
  reason?: boolean;
  danger?: boolean;
  disabled?: boolean;
  /** Given the reason and the fields in `says`. Throws what the server refused. */
  run: (reason: string, fields: FormData) => Promise<unknown>;
  /** Called after it was done. */
  done?: () => void;
}

/** The query parameter that a reason becomes: none when nobody gave one. */
export function withReason(reason: string): { reason?: string } {
  return reason ? { reason } : {};
}

export function Act(props: Props) {
  const [open, setOpen] = useState(false);
  if (!may(props.needs)) return null;
  return (
    <>
      <button type="button" class={props.danger ? "danger" : ""} disabled={props.disabled} onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {open && <Confirm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirm({ label, says, reason, danger, run, done, onClose }: Props & { onClose: () => void }) {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem("");
    try {
      await run(String(fields.get("reason") ?? "").trim(), fields);
      onClose();
      done?.();
    } catch (error) {
      noteRefusal(error);
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={label} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <div>{says}</div>
        {reason && (
          <label>
            Reason (kept with the run)
            <input name="reason" maxLength={1000} autoComplete="off" />
          </label>
        )}
        <Refusal message={problem} />
        <div class="buttons">
          <button type="submit" class={danger ? "danger" : "primary"} disabled={busy}>
            {busy ? "…" : label}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
