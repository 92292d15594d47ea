// Dark or light: what the system says, unless somebody chose.
import { signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
const KEY = "fermata.theme";
const THEMES: readonly Theme[] = ["auto", "light", "dark"];

export const theme = signal<Theme>(THEMES.find((known) => known === localStorage.getItem(KEY)) ?? "auto");

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

export function choose(next: Theme): void {
  theme.value = next;
  localStorage.setItem(KEY, next);
  applyTheme();
}

/** auto, light, dark, and round again. */
export function following(current: Theme): Theme {
  return THEMES[(THEMES.indexOf(current) + 1) % THEMES.length]!;
}
