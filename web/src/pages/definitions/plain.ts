// A definition as somebody would write it: without what the server fills in. It means the same. Pure.
import type { Json, JsonObject, WorkflowDef } from "../../conductor/types.ts";

// Fields whose empty value is what leaving them out means.
const EMPTY = new Set([
  ...["decisionCases", "defaultCase", "forkTasks", "joinOn", "defaultExclusiveJoinTask", "loopOver", "onStateChange", "metadata"],
  ...["startDelay", "optional", "permissive", "asyncComplete", "inputParameters", "outputParameters", "variables", "inputTemplate"],
  ...["maskedFields", "timeoutSeconds", "workflowStatusListenerEnabled"],
]);
const STAMPS = new Set(["createTime", "updateTime", "createdBy", "updatedBy"]);

// What a step holds is looked through; its own data, such as inputParameters, is left as it is.
const HOLDS_STEPS = new Set(["tasks", "defaultCase", "forkTasks", "loopOver", "decisionCases"]);

export function plain(definition: WorkflowDef): JsonObject {
  const pairs = Object.entries(definition as unknown as JsonObject).filter(([name]) => !STAMPS.has(name));
  return without(Object.fromEntries(pairs));
}

function without(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([name, field]) => !(EMPTY.has(name) && isEmpty(field)));
  return Object.fromEntries(kept.map(([name, field]) => [name, HOLDS_STEPS.has(name) ? inside(field) : field]));
}

/** Lists, lists of lists and cases of steps. */
function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map(inside);
  if (!value || typeof value !== "object") return value;
  const object = value as JsonObject;
  if ("taskReferenceName" in object) return without(object);
  return Object.fromEntries(Object.entries(object).map(([name, field]) => [name, inside(field)]));
}

function isEmpty(value: Json): boolean {
  if (value === false || value === 0) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
