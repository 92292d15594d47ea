// Reads what should be lists and texts out of a definition that anybody may have written: what is something else counts as absent.
import type { WorkflowTask } from "../conductor/types.ts";

export function list(value: unknown): readonly WorkflowTask[] {
  return Array.isArray(value) ? value.filter((one): one is WorkflowTask => typeof one === "object" && one !== null && !Array.isArray(one)) : [];
}

export function branchLists(value: unknown): readonly (readonly WorkflowTask[])[] {
  return Array.isArray(value) ? value.filter(Array.isArray).map(list) : [];
}

/** In the definition's order. */
export function cases(value: unknown): readonly (readonly [string, readonly WorkflowTask[]])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([name, tasks]) => [name, list(tasks)] as const);
}

export function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
