// A node in words: what it is, how it stands. Pure.
import { count } from "../words/sizes.ts";
import type { NodeState, Tally } from "./progress.ts";
import type { Node } from "./shape.ts";

export function statusWord(status: string | null): string {
  return status === null ? "not reached" : status.replaceAll("_", " ").toLowerCase();
}

/** `in progress, 37 polls`, `failed, attempt 3`, `completed, 3 times`. */
export function standingOf(state: NodeState): string {
  const more = [
    state.iterations > 0 ? count(state.iterations, "time") : "",
    state.polls > 0 ? count(state.polls, "poll") : "",
    state.attempts > 1 ? `attempt ${state.attempts}` : "",
  ];
  return [statusWord(state.status), ...more.filter(Boolean)].join(", ");
}

/** `DYNAMIC (HTTP)` once a dynamic task is known. */
export function typeOf(node: Node, state: NodeState | undefined): string {
  const actual = node.type === "DYNAMIC" ? state?.task?.taskType : undefined;
  return actual && actual !== "DYNAMIC" ? `DYNAMIC (${actual})` : node.type;
}

/** What is read aloud. */
export function sentence(node: Node, state: NodeState | undefined): string {
  if (node.kind === "later") return `${node.name}: ${node.type}`;
  return [node.reference, typeOf(node, state), ...(state ? [standingOf(state)] : [])].join(", ");
}

/** `940 done, 3 failed, 57 open`; of a choice `taken: eu`. */
export function tallyWords(tally: Tally | undefined): string {
  if (!tally) return "";
  if (tally.taken !== undefined) return `taken: ${caseName(tally.taken)}`;
  const parts = [tally.done && `${grouped(tally.done)} done`, tally.failed && `${grouped(tally.failed)} failed`, tally.open && `${grouped(tally.open)} open`];
  return parts.filter(Boolean).join(", ") || "not reached";
}

export function caseName(value: string | null): string {
  return value === null ? "default" : value === "" ? "(empty text)" : value;
}

/** Cut so that it fits, told by its letters: those of East Asia are twice as wide. */
export function clipped(text: string, most: number): string {
  let width = 0;
  let kept = "";
  for (const letter of text.slice(0, 400)) {
    width += letter > "\u2e80" ? 2 : 1;
    if (width > most) return `${kept.slice(0, -1)}…`;
    kept += letter;
  }
  return kept;
}

function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}
