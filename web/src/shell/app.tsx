// The shell around every page: who may look, the menu, and the page that the address names.
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { standing } from "../server/session.ts";
import { Menu } from "./menu.tsx";
import { Mishap } from "./mishap.tsx";
import { FIRST, PAGES } from "./pages.ts";
import { Closed, Nowhere, SignIn, Unreachable } from "./standing.tsx";
import { Loading } from "../parts/problem.tsx";

export function App() {
  return (
    <LocationProvider scope={/^\/(ui(?!\/assets\/)|$)/}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Menu />
      <main id="main" tabIndex={-1}>
        <Inside />
      </main>
    </LocationProvider>
  );
}

function Inside() {
  switch (standing.value) {
    case "asking":
      return <Loading what="Fermata" />;
    case "out":
      return <SignIn />;
    case "closed":
      return <Closed />;
    case "unreachable":
      return <Unreachable />;
    case "in":
      return <Pages />;
  }
}

function Pages() {
  const { path, url } = useLocation();
  if (!readable(path)) return <Nowhere />;
  const first = PAGES.find((page) => page.path === FIRST)!.page;
  return (
    <ErrorBoundary>
      <Mishap at={url}>
        <Router onRouteChange={announce}>
          {PAGES.map((page) => (
            <Route key={page.path} path={page.path} component={page.page} />
          ))}
          <Route path="/" component={first} />
          <Route path="/ui" component={first} />
          <Route default component={Nowhere} />
        </Router>
      </Mishap>
    </ErrorBoundary>
  );
}

/** Is every percent sign followed by what it must be? The router would fail over one that is not. */
function readable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Another page: a keyboard or a screen reader goes on at its beginning. */
function announce(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
