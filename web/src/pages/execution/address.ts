// What of this page its address keeps: the tab (see parts/tabs) and the task that is looked at.

/** The address of a task of this page, on `tab` if that is given; without a task, of the page with none open. */
export function taskAddress(task: string | null, tab?: string): string {
  const query = new URLSearchParams(location.search);
  if (task === null) query.delete("task");
  else query.set("task", task);
  if (tab) query.set("tab", tab);
  const text = query.toString();
  return location.pathname + (text ? `?${text}` : "");
}
