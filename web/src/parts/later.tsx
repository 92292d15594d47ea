// A part whose code is fetched when it is first looked at, and what is shown when that cannot be had.
import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { Problem } from "./problem.tsx";

/** As `lazy`, which would wait for ever where the server is gone, or has newer pages than this tab. */
export function later<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Unloaded })));
}

function Unloaded() {
  return (
    <div class="narrow">
      <Problem error={new Error("This part of the page cannot be loaded: the server does not answer, or has newer pages.")} again={() => location.reload()} />
    </div>
  );
}
