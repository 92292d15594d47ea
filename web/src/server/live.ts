// Values that stay fresh while somebody looks, without a storm: one request at a time, none in a hidden tab, slower when nothing moves.
import { useEffect, useRef, useState } from "preact/hooks";
import { noteRefusal } from "./session.ts";

export interface Live<T> {
  value: T | undefined;
  /** The last look's failure, gone with the next success. */
  error: Error | undefined;
  /** Look now: after an action. */
  again: () => void;
}

/** After a failure: at once a little, then ever more slowly. Milliseconds. */
const PATIENCE = [2_000, 5_000, 15_000, 60_000] as const;

/**
 * `load` is called at once, anew when `key` changes, and again after `pace(value)` milliseconds; null means never again by itself.
 * It is given what it returned last, and may return it unchanged.
 */
export function useLive<T>(
  key: string,
  load: (signal: AbortSignal, last: T | undefined) => Promise<T>,
  pace: (value: T) => number | null,
): Live<T> {
  const [state, setState] = useState<{ key: string; value?: T; error?: Error }>({ key });
  const looking = useRef<() => void>(() => undefined);
  const latest = useRef({ load, pace });
  latest.current = { load, pace };

  useEffect(() => {
    const look = new Looking<T>(
      (signal, last) => latest.current.load(signal, last),
      (value) => latest.current.pace(value),
      (change) => setState({ key, ...change }),
    );
    looking.current = () => look.now();
    look.now();
    const onVisible = () => look.visible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      look.end();
    };
  }, [key]);

  const mine = state.key === key;
  return { value: mine ? state.value : undefined, error: mine ? state.error : undefined, again: () => looking.current() };
}

/** A value that is loaded once, and anew when `key` changes. */
export function useOnce<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Live<T> {
  return useLive(key, load, () => null);
}

class Looking<T> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private inFlight: AbortController | undefined;
  private wantsAgain = false;
  private ended = false;
  private hidden = false;
  private waiting = false; // for the tab to be seen again
  private failures = 0;
  private last: T | undefined;

  constructor(
    private readonly load: (signal: AbortSignal, last: T | undefined) => Promise<T>,
    private readonly pace: (value: T) => number | null,
    private readonly show: (change: { value?: T; error?: Error }) => void,
  ) {}

  now(): void {
    clearTimeout(this.timer);
    if (this.inFlight) this.wantsAgain = true;
    else void this.look();
  }

  visible(seen: boolean): void {
    this.hidden = !seen;
    if (seen && this.waiting) this.now();
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.inFlight?.abort();
  }

  private async look(): Promise<void> {
    this.waiting = false;
    this.wantsAgain = false;
    this.inFlight = new AbortController();
    let next: number | null;
    try {
      this.last = await this.load(this.inFlight.signal, this.last);
      if (this.ended) return;
      this.failures = 0;
      this.show({ value: this.last });
      next = this.pace(this.last);
    } catch (error) {
      if (this.ended) return;
      next = this.failed(error);
    } finally {
      this.inFlight = undefined;
    }
    if (this.wantsAgain) void this.look();
    else if (next !== null) this.later(next);
  }

  private failed(error: unknown): number | null {
    noteRefusal(error);
    const known = error instanceof Error ? error : new Error(String(error));
    this.show(this.last === undefined ? { error: known } : { value: this.last, error: known });
    const status = "status" in known ? Number(known.status) : 0;
    const final = status >= 400 && status < 500 && status !== 429; // asking again would bring the same
    return final ? null : PATIENCE[Math.min(this.failures++, PATIENCE.length - 1)]!;
  }

  private later(milliseconds: number): void {
    this.timer = setTimeout(() => (this.hidden ? (this.waiting = true) : void this.look()), Math.max(milliseconds, 500));
  }
}
