// The pages: their addresses, what the menu calls them, and where their code is. A page is loaded when it is first looked at.
import { later } from "../parts/later.tsx";

export const PAGES = [
  { path: "/ui/executions/:id", page: later(() => import("../pages/execution/page.tsx")) },
  { path: "/ui/definitions/:name/:version?", page: later(() => import("../pages/definitions/one.tsx")) },
  { path: "/ui/new-definition", page: later(() => import("../pages/definitions/new.tsx")) },
  { path: "/ui/executions", menu: "Executions", page: later(() => import("../pages/executions/page.tsx")) },
  { path: "/ui/definitions", menu: "Definitions", page: later(() => import("../pages/definitions/page.tsx")) },
  { path: "/ui/schedules", menu: "Schedules", page: later(() => import("../pages/schedules/page.tsx")) },
  { path: "/ui/events", menu: "Event handlers", page: later(() => import("../pages/events/page.tsx")) },
  { path: "/ui/queues", menu: "Task queues", page: later(() => import("../pages/queues/page.tsx")) },
  { path: "/ui/airpipe", menu: "Air Pipe", page: later(() => import("../pages/airpipe/page.tsx")) },
] as const;

export const FIRST = "/ui/executions";
