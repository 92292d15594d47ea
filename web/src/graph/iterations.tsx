// Which iteration of a loop is shown: a number for each loop that has run more than once.
import { count } from "../words/sizes.ts";
import type { Chosen } from "./recorded.ts";
import type { Structure } from "./scene.ts";

interface Props {
  readonly structure: Structure;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

export function Iterations({ structure, chosen, onChoose }: Props) {
  const loops = [...structure.nodes.values()].filter(({ id, kind }) => kind === "loop" && (structure.progress?.states.get(id)?.iterations ?? 0) > 1);
  return (
    <div class="graph-loops">
      {loops.map(({ id, reference }) => {
        const { iteration, iterations } = structure.progress!.states.get(id)!;
        return <Choice key={id} name={reference} shown={iteration} last={iterations} onChoose={(number) => onChoose(without(chosen, reference, number, iterations))} />;
      })}
    </div>
  );
}

/** The last one is followed: it is not chosen but what is shown without a choice. */
function without(chosen: Chosen, loop: string, iteration: number, last: number): Chosen {
  const others = [...chosen].filter(([name]) => name !== loop);
  return new Map(iteration >= last ? others : [...others, [loop, iteration]]);
}

interface ChoiceProps {
  name: string;
  shown: number;
  last: number;
  onChoose: (iteration: number) => void;
}

function Choice({ name, shown, last, onChoose }: ChoiceProps) {
  const change = (event: Event) => {
    const wanted = Number((event.currentTarget as HTMLInputElement).value);
    if (Number.isInteger(wanted) && wanted >= 1) onChoose(Math.min(wanted, last));
  };
  return (
    <span class="graph-loop">
      <button type="button" aria-label={`Previous iteration of ${name}`} disabled={shown <= 1} onClick={() => onChoose(shown - 1)}>
        ‹
      </button>
      <label>
        <span class="name" title={name}>
          {name}
        </span>
        <input type="number" min={1} max={last} value={shown} aria-label={`Iteration of ${name}`} onChange={change} />
        {` of ${count(last, "iteration")}`}
      </label>
      <button type="button" aria-label={`Next iteration of ${name}`} disabled={shown >= last} onClick={() => onChoose(shown + 1)}>
        ›
      </button>
    </span>
  );
}
