// A part that is asked for when somebody opens it, and not before.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Shown } from "../../parts/problem.tsx";
import { useOnce } from "../../server/live.ts";

interface Props<T> {
  title: string;
  /** Names what is loaded; another name loads anew. */
  of: string;
  load: (signal: AbortSignal) => Promise<T>;
  children: (value: T) => ComponentChildren;
}

export function Opened<T>(props: Props<T>) {
  const [open, setOpen] = useState(false);
  return (
    <details class="more" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{props.title}</summary>
      {open && <Inside {...props} />}
    </details>
  );
}

function Inside<T>({ title, of, load, children }: Props<T>) {
  const live = useOnce(`${title} ${of}`, load);
  return (
    <Shown live={live} what={title.toLowerCase()}>
      {children}
    </Shown>
  );
}
