// One node of the drawing: a button with its name, what it is and how it stands.
import { useLocation } from "preact-iso";
import { toneOf } from "../parts/status.tsx";
import { runAddress } from "../shell/addresses.ts";
import { count } from "../words/sizes.ts";
import type { Place } from "./layout.ts";
import type { NodeState, Tally } from "./progress.ts";
import type { Kind, Node, Split } from "./shape.ts";
import { clipped, sentence, standingOf, tallyWords, typeOf } from "./telling.ts";

interface Reached {
  /** Its place in the reading order: how it is found when it is to be focused. */
  readonly at: number;
  readonly place: Place;
  /** May the tab key come here? One node of the graph is the door to all: arrow keys lead on. */
  readonly door: boolean;
  readonly onFocus: () => void;
  readonly onPress: () => void;
}

interface NodeProps extends Reached {
  readonly node: Node;
  readonly state: NodeState | undefined;
  readonly selected: boolean;
}

export function NodeMark({ node, state, selected, place, ...reached }: NodeProps) {
  const tone = state ? (state.status === null ? "none" : toneOf(state.status)) : "plain";
  const letters = Math.floor((place.width - 44) / 7.4);
  return (
    <g class={`node kind-${node.kind} tone-${tone}${selected ? " selected" : ""}`} transform={`translate(${place.x} ${place.y})`}>
      <Button {...reached} label={sentence(node, state)} pressed={selected} idle={node.kind === "later"}>
        <path class="body" d={outline(node.kind, place.width, place.height)} />
        {node.kind === "child" && <path class="inner" d={outline("child", place.width - 8, place.height - 8)} transform="translate(4 4)" />}
        <title>{sentence(node, state)}</title>
        <text class="name" x="16" y="23">
          {clipped(node.kind === "later" ? node.name : node.reference, letters)}
        </text>
        <text class="type" x="16" y="41">
          {clipped(typeOf(node, state), Math.floor((place.width - 32) / 6.6))}
        </text>
        {state && node.kind !== "later" && <Standing tone={tone} text={clipped(standingOf(state), Math.floor((place.width - 52) / 6.3))} />}
      </Button>
      <ChildLink state={state} place={place} />
    </g>
  );
}

interface GroupProps extends Reached {
  readonly split: Split;
  readonly tally: Tally | undefined;
  readonly open: boolean;
}

/** Many branches in one; pressed, it opens or closes. */
export function GroupMark({ split, tally, open, place, ...reached }: GroupProps) {
  const what = count(split.branches.length, split.node.kind === "choice" ? "case" : "branch", split.node.kind === "choice" ? "cases" : "branches");
  const words = tallyWords(tally);
  const tone = !tally ? "plain" : tally.failed > 0 ? "failed" : tally.open > 0 ? "waits" : tally.done > 0 ? "done" : "none";
  return (
    <g class={`node kind-group tone-${tone}`} transform={`translate(${place.x} ${place.y})`}>
      <Button {...reached} label={[what, words].filter(Boolean).join(": ")} expanded={open}>
        {!open && <path class="inner" d={outline("task", place.width, place.height)} transform="translate(6 6)" />}
        <path class="body" d={outline("task", place.width, place.height)} />
        <text class="name" {...(open ? { x: place.port - place.x, y: 25, "text-anchor": "middle" } : { x: 16, y: 23 })}>
          {`${open ? "▾" : "▸"} ${what}${open && words ? `: ${words}` : ""}`}
        </text>
        {!open && (
          <text class="type" x="16" y="41">
            press to open
          </text>
        )}
        {!open && words && <Standing tone={tone} text={clipped(words, Math.floor((place.width - 52) / 6.3))} />}
      </Button>
    </g>
  );
}

interface ButtonProps extends Omit<Reached, "place"> {
  readonly label: string;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly idle?: boolean;
  readonly children: preact.ComponentChildren;
}

function Button({ at, door, label, pressed, expanded, idle = false, onFocus, onPress, children }: ButtonProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPress();
  };
  const role = idle ? ({ role: "img" } as const) : ({ role: "button", "aria-pressed": pressed, "aria-expanded": expanded } as const);
  return (
    <g {...role} class="button" data-at={at} tabindex={door ? 0 : -1} aria-label={label} onFocus={onFocus} onClick={onPress} onKeyDown={press}>
      {children}
    </g>
  );
}

/** The status: a shape and a word, and a colour that repeats them. */
function Standing({ tone, text }: { tone: string; text: string }) {
  return (
    <g class="standing" transform="translate(16 61)">
      <path class="icon" d={ICONS[tone] ?? ICONS["none"]!} transform="translate(6 -4)" />
      <text x="20">{text}</text>
    </g>
  );
}

const ICONS: Readonly<Record<string, string>> = {
  done: "M-5 0L-1.5 4L5 -4",
  failed: "M-4.5 -4.5L4.5 4.5M4.5 -4.5L-4.5 4.5",
  waits: "M0 -5A5 5 0 1 1 -0.01 -5M0 -2.5V0.5L2 2",
  held: "M-2.5 -4.5V4.5M2.5 -4.5V4.5",
  gone: "M-5 0H5",
  none: "M-0.5 0H0.5",
};

function ChildLink({ state, place }: { state: NodeState | undefined; place: Place }) {
  const { route } = useLocation();
  const id = childOf(state);
  if (!id) return null;
  const href = runAddress(id);
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    route(href);
  };
  return (
    <a class="child" href={href} onClick={go} aria-label={`Open the run ${id}`}>
      <rect x={place.width - 78} y="4" width="74" height="24" rx="6" />
      <text x={place.width - 12} y="21" text-anchor="end">
        open run ↗
      </text>
    </a>
  );
}

export function childOf(state: NodeState | undefined): string | undefined {
  const said = state?.task?.subWorkflowId ?? state?.task?.outputData?.["subWorkflowId"];
  return typeof said === "string" && said !== "" ? said : undefined;
}

/** Shapes tell kinds apart without colour: round for tasks, pointed for choices, flat for forks, cut for what ends the run. */
function outline(kind: Kind, width: number, height: number): string {
  const cut = kind === "choice" ? 16 : kind === "stop" ? 12 : 0;
  if (kind === "choice") return `M${cut} 0H${width - cut}L${width} ${height / 2}L${width - cut} ${height}H${cut}L0 ${height / 2}Z`;
  if (cut) return `M${cut} 0H${width - cut}L${width} ${cut}V${height - cut}L${width - cut} ${height}H${cut}L0 ${height - cut}V${cut}Z`;
  const r = kind === "fork" || kind === "join" ? 3 : 10;
  return `M${r} 0H${width - r}Q${width} 0 ${width} ${r}V${height - r}Q${width} ${height} ${width - r} ${height}H${r}Q0 ${height} 0 ${height - r}V${r}Q0 0 ${r} 0Z`;
}
