// The pages: their addresses, what the menu calls them, and where their code is. A page is loaded when it is first looked at.
import { lazy } from "preact-iso";

export const PAGES = [
  { path: "/ui/executions/:id", page: lazy(() => import("../pages/execution/page.tsx")) },
  { path: "/ui/definitions/:name/:version?", page: lazy(() => import("../pages/definitions/one.tsx")) },
  { path: "/ui/new-definition", page: lazy(() => import("../pages/definitions/new.tsx")) },
  { path: "/ui/executions", menu: "Executions", page: lazy(() => import("../pages/executions/page.tsx")) },
  { path: "/ui/definitions", menu: "Definitions", page: lazy(() => import("../pages/definitions/page.tsx")) },
  { path: "/ui/schedules", menu: "Schedules", page: lazy(() => import("../pages/schedules/page.tsx")) },
  { path: "/ui/events", menu: "Event handlers", page: lazy(() => import("../pages/events/page.tsx")) },
  { path: "/ui/queues", menu: "Task queues", page: lazy(() => import("../pages/queues/page.tsx")) },
  { path: "/ui/airpipe", menu: "Air Pipe", page: lazy(() => import("../pages/airpipe/page.tsx")) },
] as const;

export const FIRST = "/ui/executions";
