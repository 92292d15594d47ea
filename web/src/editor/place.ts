// Where in a JSON text a path stands: `tasks[0].inputParameters.uri` to a range of characters. Pure.
import { jsonLanguage } from "@codemirror/lang-json";

export interface Range {
  from: number;
  to: number;
}

type Node = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

/**
 * The range of the member that the path names: its name and colon up to its value's end, or the value alone in an array. A path that
 * leads further than the text, as one to a missing field does, gives the range of the deepest part that is there; at worst the first character.
 */
export function placeOf(text: string, path: string): Range {
  let node: Node | null = jsonLanguage.parser.parse(text).topNode.firstChild;
  let found: Range = { from: 0, to: Math.min(1, text.length) };
  for (const step of stepsOf(path)) {
    const next: { value: Node; range: Range } | null = node && child(node, step, text);
    if (!next) return found;
    node = next.value;
    found = next.range;
  }
  return found;
}

/** `a.b[2]["c d"]` to its steps; what is no path gives none. */
export function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]|([^.[\]]+)/g)].map(([, index, double, single, name]) =>
    index === undefined ? (double ?? single ?? name ?? "") : Number(index),
  );
}

function child(node: Node, step: string | number, text: string): { value: Node; range: Range } | null {
  if (node.name === "Array" && typeof step === "number") {
    const value = values(node)[step];
    return value ? { value, range: firstLine(value, text) } : null;
  }
  if (node.name !== "Object") return null;
  for (const property of node.getChildren("Property")) {
    const value = property.lastChild;
    if (value && nameOf(property, text) === String(step)) return { value, range: firstLine(property, text) };
  }
  return null;
}

/** What is long is marked on its first line only. Plain numbers: a node's own are getters, which a copy would lose. */
function firstLine({ from, to }: Node, text: string): Range {
  const end = text.indexOf("\n", from);
  return { from, to: end < 0 ? to : Math.min(to, end) };
}

function nameOf(property: Node, text: string): string {
  const name = property.getChild("PropertyName");
  if (!name) return "";
  try {
    return String(JSON.parse(text.slice(name.from, name.to)));
  } catch {
    return "";
  }
}

function values(array: Node): readonly Node[] {
  const found: Node[] = [];
  for (let node = array.firstChild; node; node = node.nextSibling) if (!"[],⚠".includes(node.name)) found.push(node);
  return found;
}
