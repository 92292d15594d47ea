// An editor of JSON with marks beside the lines. CodeMirror, in a shadow root, because its styles are sheets there and need no exception.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { INK, PAPER } from "./colours.ts";

export interface Mark {
  from: number;
  to: number;
  severity: "error" | "warning";
  message: string;
}

interface Props {
  label: string;
  text: string;
  onChange?: (text: string) => void;
  marks?: readonly Mark[];
  readOnly?: boolean;
}

export default function Editor({ label, text, onChange, marks = [], readOnly = false }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const change = useRef(onChange);
  change.current = onChange;

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const updates = EditorView.updateListener.of((update) => {
      if (update.docChanged) change.current?.(update.state.doc.toString());
    });
    const state = EditorState.create({ doc: text, extensions: [...extensions(label, readOnly), updates] });
    view.current = new EditorView({ state, root, parent: root });
    return () => view.current?.destroy();
  }, [label, readOnly]);

  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, marks.map((mark) => within(mark, editor.state.doc.length))));
  }, [marks]);

  return <div ref={host} class="editor" />;
}

/** The text may have become shorter since the server looked at it. */
function within(mark: Mark, length: number): Diagnostic {
  return { ...mark, from: Math.min(mark.from, length), to: Math.min(mark.to, length) };
}

function extensions(label: string, readOnly: boolean) {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    syntaxHighlighting(INK),
    json(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ "aria-label": label }),
    // Tab leaves the editor after Escape: CodeMirror's own rule for keyboards.
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    PAPER,
  ];
}
