// The menu: the pages, who one is, dark or light.
import { useLocation } from "preact-iso";
import { server, signOut, standing, user } from "../server/session.ts";
import { FIRST, PAGES } from "./pages.ts";
import { choose, following, theme } from "./theme.ts";

export function Menu() {
  const { path } = useLocation();
  return (
    <header class="top">
      <a class="brand" href={FIRST}>
        <svg viewBox="0 0 32 20" aria-hidden="true">
          <path d="M3 18a13 13 0 0 1 26 0h-2.6a10.4 10.4 0 0 0-20.8 0z" />
          <circle cx="16" cy="16.5" r="3" />
        </svg>
        Fermata
      </a>
      {standing.value === "in" && <Pages path={path === "/" || path === "/ui" ? FIRST : path} />}
      <div class="who">
        {user.value && server.value?.authorization !== "NONE" && <span class="quiet">{`${user.value.name} (${user.value.role})`}</span>}
        {server.value?.authorization === "KEYS" && user.value && (
          <button type="button" class="plain" onClick={signOut}>
            Sign out
          </button>
        )}
        <a href="/docs">API</a>
        <button type="button" class="plain" onClick={() => choose(following(theme.value))}>
          {`Theme: ${theme.value}`}
        </button>
      </div>
    </header>
  );
}

function Pages({ path }: { path: string }) {
  return (
    <nav aria-label="Pages">
      {PAGES.map((page) =>
        "menu" in page ? (
          <a key={page.path} href={page.path} aria-current={path.startsWith(page.path) ? "page" : undefined}>
            {page.menu}
          </a>
        ) : null,
      )}
    </nav>
  );
}
