// The fields of a start form, from a definition's input schema or else its input parameters, and the input that their texts become. Pure.
import type { Json, JsonObject, WorkflowDef } from "../../conductor/types.ts";
import { Inexact, exactly } from "../../words/exact.ts";

export type FieldKind = "text" | "number" | "boolean" | "choice" | "json" | "any";

export interface Field {
  name: string;
  kind: FieldKind;
  /** What the field begins with, as text; "" for nothing. */
  begun: string;
  needed: boolean;
  help: string;
  choices: readonly string[];
}

/** The fields in the order of the definition: the schema's properties, then parameters it does not name, then the template's. */
export function fieldsOf(definition: WorkflowDef): readonly Field[] {
  const schema = definition.inputSchema?.data;
  const properties = objectIn(schema?.["properties"]);
  const needed = Array.isArray(schema?.["required"]) ? schema["required"] : [];
  const template = definition.inputTemplate ?? {};
  const names = new Set([...Object.keys(properties), ...(definition.inputParameters ?? []), ...Object.keys(template)]);
  return [...names].map((name) => field(name, objectIn(properties[name]), template[name], needed.includes(name)));
}

/** The input that these texts mean. An empty text leaves the parameter out. Throws `Error`, naming the field, for a text that cannot be. */
export function inputOf(fields: readonly Field[], texts: Readonly<Record<string, string>>): JsonObject {
  const pairs = fields.flatMap((one) => {
    const text = texts[one.name] ?? one.begun;
    if (text === "" && one.needed) throw new Error(`${one.name} is needed.`);
    return text === "" ? [] : [[one.name, valueOf(one, text)] as const];
  });
  return Object.fromEntries(pairs);
}

function valueOf({ name, kind, choices }: Field, text: string): Json {
  switch (kind) {
    case "text":
      return text;
    case "choice":
      return choices.includes(text) ? (chosen(text) ?? text) : text;
    case "boolean":
      return text === "true";
    case "number":
      if (!Number.isFinite(Number(text))) throw new Error(`${name} must be a number.`);
      return chosen(text) ?? Number(text);
    case "json":
      return needsJson(name, text);
    case "any":
      return chosen(text) ?? text;
  }
}

/** A text that reads as JSON means that; any other means itself. Throws `Inexact`. */
function chosen(text: string): Json | undefined {
  try {
    return exactly(text);
  } catch (error) {
    if (error instanceof Inexact) throw error;
    return undefined;
  }
}

function readsAsJson(text: string): boolean {
  try {
    return chosen(text) !== undefined;
  } catch {
    return true; // as a number, if a longer one than can be kept
  }
}

function needsJson(name: string, text: string): Json {
  const value = chosen(text);
  if (value === undefined) throw new Error(`${name} must be JSON.`);
  return value;
}

function field(name: string, schema: JsonObject, template: Json | undefined, needed: boolean): Field {
  const begun = schema["default"] ?? template;
  const choices = Array.isArray(schema["enum"]) ? schema["enum"].map(textOf) : [];
  const kind = choices.length > 0 ? "choice" : kindOf(schema["type"]);
  const help = [schema["title"], schema["description"]].filter((part) => typeof part === "string").join(": ");
  return { name, kind, begun: begun === undefined || begun === null ? "" : textIn(kind, begun), needed, help, choices };
}

function kindOf(type: Json | undefined): FieldKind {
  switch (type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "object":
    case "array":
      return "json";
    default:
      return "any";
  }
}

/** A text that would read as something else is quoted, so that it stays a text. */
function textIn(kind: FieldKind, value: Json): string {
  if (kind === "any" && typeof value === "string") return readsAsJson(value) ? JSON.stringify(value) : value;
  return textOf(value);
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function objectIn(value: Json | undefined): JsonObject {
  return value && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : {};
}
