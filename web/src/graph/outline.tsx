// The graph as a nested list: the same nodes in reading order, for who would rather read than look.
import { StatusMark } from "../parts/status.tsx";
import { runAddress } from "../shell/addresses.ts";
import { count } from "../words/sizes.ts";
import { childOf } from "./node.tsx";
import type { Structure } from "./scene.ts";
import type { Branch, Item, Node, Sequence, Split } from "./shape.ts";
import { caseName, standingOf, tallyWords, typeOf } from "./telling.ts";

interface Props {
  structure: Structure;
  selected: string | undefined;
  open: ReadonlySet<string>;
  onToggle: (group: string) => void;
  onSelect: (id: string) => void;
}

export function Outline(props: Props) {
  return (
    <div class="graph-outline">
      <Steps items={props.structure.shape} {...props} />
    </div>
  );
}

function Steps({ items, ...props }: Props & { items: Sequence }) {
  return (
    <ol>
      {items.map((item) => (
        <li key={item.node.id}>
          <One node={item.node} {...props} />
          <Inside item={item} {...props} />
          {item.is === "split" && item.meet.node && <One node={item.meet.node} {...props} />}
        </li>
      ))}
    </ol>
  );
}

function One({ node, structure, selected, onSelect }: Props & { node: Node }) {
  const state = structure.progress?.states.get(node.id);
  const child = childOf(state);
  if (node.kind === "later") return <p class="quiet">{`${node.name}: ${node.type}`}</p>;
  return (
    <div class="graph-step">
      <button type="button" class="plain" aria-pressed={node.id === selected} onClick={() => onSelect(node.id)}>
        {node.reference}
      </button>
      <span class="quiet">{typeOf(node, state)}</span>
      {state && (state.status === null ? <span class="quiet">not reached</span> : <StatusMark status={state.status} />)}
      {state?.status && <span class="quiet">{standingOf(state).split(", ").slice(1).join(", ")}</span>}
      {child && <a href={runAddress(child)}>open run</a>}
    </div>
  );
}

function Inside({ item, ...props }: Props & { item: Item }) {
  switch (item.is) {
    case "leaf":
      return null;
    case "loop":
      return <Steps items={item.body} {...props} />;
    case "split":
      return item.group ? <Group split={item} group={item.group} {...props} /> : <Branches split={item} {...props} />;
  }
}

function Group({ split, group, ...props }: Props & { split: Split; group: string }) {
  const opened = props.open.has(group);
  const what = split.node.kind === "choice" ? count(split.branches.length, "case") : count(split.branches.length, "branch", "branches");
  return (
    <>
      <button type="button" aria-expanded={opened} onClick={() => props.onToggle(group)}>
        {[`${opened ? "▾" : "▸"} ${what}`, tallyWords(props.structure.progress?.tallies.get(group))].filter(Boolean).join(": ")}
      </button>
      {opened && <Branches split={split} {...props} />}
    </>
  );
}

function Branches({ split, ...props }: Props & { split: Split }) {
  return (
    <ul>
      {split.branches.map((branch, index) => (
        <li key={branch.id}>
          <span class="quiet">{titleOf(branch, index)}</span>
          {branch.items.length > 0 ? <Steps items={branch.items} {...props} /> : <p class="quiet">nothing to do</p>}
        </li>
      ))}
    </ul>
  );
}

function titleOf({ value }: Branch, index: number): string {
  return value === undefined ? `Branch ${index + 1}` : value === null ? "Otherwise" : `Case ${caseName(value)}`;
}
