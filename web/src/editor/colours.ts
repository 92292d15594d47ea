// The editor's colours: those of the page, so that dark and light are right and readable.
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const INK = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--done)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--waits)" },
  { tag: tags.invalid, color: "var(--failed)" },
]);

export const PAPER = EditorView.theme({
  "&": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "var(--mono)", maxHeight: "36rem", minHeight: "12rem" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
});
