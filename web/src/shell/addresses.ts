// The addresses of pages about one thing, and of the list that holds it: every link to them is made here. Pure.

/** What the list of executions can be asked for by a link. The whole of its filters is in pages/executions/filters.ts. */
type Wanted = { readonly definition: string } | { readonly correlation: string } | { readonly query: string };

export function runAddress(workflowId: string): string {
  return `/ui/executions/${encodeURIComponent(workflowId)}`;
}

export function runsAddress(wanted: Wanted): string {
  const [[name, value]] = Object.entries(wanted) as [[string, string]];
  return `/ui/executions?${name}=${encodeURIComponent(value)}`;
}

export function definitionAddress(name: string, version?: number): string {
  return `/ui/definitions/${encodeURIComponent(name)}${version === undefined ? "" : `/${version}`}`;
}
