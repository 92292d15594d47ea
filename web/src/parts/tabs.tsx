// Tabs of a page, kept in its address: a link leads to the same tab.
import { useLocation } from "preact-iso";

interface Props {
  label: string;
  /** The tabs by their word in the address. The first one needs none. */
  tabs: Readonly<Record<string, string>>;
}

/** The tab that the address names, the first one when it names none. */
export function useTab<Name extends string>(tabs: Readonly<Record<Name, string>>): Name {
  const names = Object.keys(tabs) as Name[];
  const asked = useLocation().query["tab"];
  return names.find((name) => name === asked) ?? names[0]!;
}

/** The address of a tab of this page, whatever else it says kept. */
export function tabAddress(tab: string, first: string): string {
  const query = new URLSearchParams(location.search);
  if (tab === first) query.delete("tab");
  else query.set("tab", tab);
  const text = query.toString();
  return location.pathname + (text ? `?${text}` : "");
}

export function Tabs({ label, tabs }: Props) {
  const current = useTab(tabs);
  const names = Object.keys(tabs);
  return (
    <nav class="tabs" aria-label={label}>
      {names.map((name) => (
        <a key={name} href={tabAddress(name, names[0]!)} aria-current={name === current ? "page" : undefined}>
          {tabs[name]}
        </a>
      ))}
    </nav>
  );
}
