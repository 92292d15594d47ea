// What a page shows instead of a value: still loading, nothing there, or what went wrong and what to do.
import type { ComponentChildren } from "preact";
import type { Live } from "../server/live.ts";

export function Problem({ error, again }: { error: Error; again?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Why a form was not taken, beside it. Nothing while there is nothing to say. */
export function Refusal({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p class="problem" role="alert">
      {message}
    </p>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

/** The value once there is one, under a line about the last failed look; before that, what is being waited for. */
export function Shown<T>({ live, what, children }: { live: Live<T>; what: string; children: (value: T) => ComponentChildren }) {
  if (live.value === undefined) return live.error ? <Problem error={live.error} again={live.again} /> : <Loading what={what} />;
  return (
    <>
      {live.error && <p class="stale" role="status">{`Not up to date: ${live.error.message}`}</p>}
      {children(live.value)}
    </>
  );
}
