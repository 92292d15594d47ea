// The server's time, anew every second while the tab is seen: what countdowns and ages count by.
import { computed, signal } from "@preact/signals";
import { clockOffset } from "./client.ts";

const tick = signal(Date.now());

/** Milliseconds since the epoch, by the server's clock: a laptop's clock that skips is right too. */
export const now = computed(() => tick.value + clockOffset.value);

/** Call it once. */
export function startClock(): void {
  setInterval(() => {
    if (document.visibilityState === "visible") tick.value = Date.now();
  }, 1000);
  document.addEventListener("visibilitychange", () => (tick.value = Date.now()));
}
