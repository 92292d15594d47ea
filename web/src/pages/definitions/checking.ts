// What the server finds in a definition's text: refusals and warnings, each with its place in the text.
import { Refused, fetched } from "../../server/client.ts";
import type { Mark } from "../../editor/editor.tsx";
import { placeOf } from "../../editor/place.ts";
import { Inexact, exactly } from "../../words/exact.ts";

export interface Finding {
  path: string;
  message: string;
  severity: "error" | "warning";
}

/** Ask the server what it would refuse and what it warns about. Registers nothing. Throws what is no finding. */
export async function check(text: string, signal?: AbortSignal): Promise<readonly Finding[]> {
  const definition = parsed(text);
  if ("message" in definition) return [definition];
  try {
    const { headers } = await fetched("/api/metadata/workflow/validate", { method: "POST", body: definition.value, ...(signal ? { signal } : {}) });
    return warningsOf(headers);
  } catch (error) {
    return refusalsOf(error);
  }
}

/** Register the text, in place of the version of that number if it is there. Throws `Refused`. */
export async function save(text: string): Promise<{ name: string; version: number }> {
  const definition = parsed(text);
  if ("message" in definition) throw new Refused(400, definition.message);
  await fetched("/api/metadata/workflow", { method: "POST", body: definition.value, query: { overwrite: true } });
  const { name, version } = definition.value as { name: string; version?: number };
  return { name, version: version ?? 1 };
}

export function marks(text: string, findings: readonly Finding[]): readonly Mark[] {
  return findings.map(({ path, message, severity }) => ({ ...placeOf(text, path), message, severity }));
}

/** The findings in a refusal of a definition. Throws it again when it is none. */
export function refusalsOf(error: unknown): readonly Finding[] {
  if (!(error instanceof Refused) || error.status !== 400) throw error;
  const errors = (error.body as { validationErrors?: readonly { path: string; message: string }[] } | null)?.validationErrors ?? [];
  if (errors.length === 0) return [{ path: "", message: error.message, severity: "error" }];
  return errors.map(({ path, message }) => ({ path, message, severity: "error" }));
}

function warningsOf(headers: Headers): readonly Finding[] {
  const listed = JSON.parse(headers.get("x-fermata-warnings") ?? "[]") as readonly { path: string; message: string }[];
  return listed.map(({ path, message }) => ({ path, message, severity: "warning" }));
}

function parsed(text: string): { value: unknown } | Finding {
  try {
    return { value: exactly(text) };
  } catch (error) {
    if (error instanceof Inexact) return { path: "", message: error.message, severity: "error" };
    return { path: "", message: `This is not JSON yet: ${error instanceof Error ? error.message : error}`, severity: "error" };
  }
}
