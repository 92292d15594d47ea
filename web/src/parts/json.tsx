// JSON to read: indented text, never markup. What is large is shown by its size and opened on demand.
import { useState } from "preact/hooks";
import type { Json } from "../conductor/types.ts";
import { bytes } from "../words/sizes.ts";
import { Copy } from "./copy.tsx";

/** Characters from which a text is opened on demand even when it is here. */
const LONG = 20_000;

interface Props {
  title: string;
  value: Json | undefined;
  /** Set when the value was left out: its size in bytes. */
  size?: number | undefined;
  /** Fetches the value that was left out. */
  fetchWhole?: () => Promise<Json | undefined>;
}

export function JsonBlock({ title, value, size, fetchWhole }: Props) {
  const [fetched, setFetched] = useState<Json | undefined>(undefined);
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState("");
  const known = value ?? fetched;
  const text = known === undefined ? "" : JSON.stringify(known, null, 2);
  const hidden = !open && (known === undefined ? size !== undefined : text.length > LONG);
  const show = async () => {
    try {
      if (known === undefined && fetchWhole) setFetched(await fetchWhole());
      setOpen(true);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section class="json" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {!hidden && text && <Copy text={text} />}
      </header>
      {hidden ? (
        <p>
          {bytes(size ?? text.length)} <button type="button" onClick={show}>{`Open ${title.toLowerCase()}`}</button>
        </p>
      ) : (
        <pre tabIndex={0}>{text || "–"}</pre>
      )}
      {problem && <p role="alert">{problem}</p>}
    </section>
  );
}
