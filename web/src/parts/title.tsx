// A page's heading, which is also the title of its window.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

/** `name` is the window's title; `children` the heading when it is more than that. */
export function Title({ name, children }: { name: string; children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${name} – Fermata`;
  }, [name]);
  return <h1>{children ?? name}</h1>;
}
