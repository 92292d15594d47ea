// What stands where a page should when drawing it failed: no mistake of ours, and no odd data, leaves an empty screen.
import { Component } from "preact";
import type { ComponentChildren } from "preact";
import { Problem } from "../parts/problem.tsx";

interface Props {
  /** The address: at another one all is tried anew. */
  at: string;
  children: ComponentChildren;
}

interface State {
  failedAt?: string;
}

export class Mishap extends Component<Props, State> {
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ failedAt: this.props.at });
  }

  override render({ at, children }: Props, { failedAt }: State) {
    if (failedAt !== at) return children;
    return (
      <div class="narrow">
        <Problem error={new Error("This page cannot be drawn. The other pages work; what went wrong is in the browser's console.")} again={() => this.setState({ failedAt: "" })} />
      </div>
    );
  }
}
