// What is shown in place of a page: signing in, a server that a browser cannot ask, a server that is not there, an address that is none.
import { useState } from "preact/hooks";
import { Problem } from "../parts/problem.tsx";
import { begin, signIn } from "../server/session.ts";
import { FIRST } from "./pages.ts";

export function SignIn() {
  const [problem, setProblem] = useState<Error | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    try {
      await signIn(String(fields.get("keyId")).trim(), String(fields.get("keySecret")).trim());
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return (
    <form class="narrow" onSubmit={submit}>
      <h1>Sign in</h1>
      <p>This server asks for an access key, the same that Conductor's SDKs use. An administrator makes one with fermata key create.</p>
      <label>
        Key id
        <input name="keyId" required autoComplete="username" spellcheck={false} />
      </label>
      <label>
        Key secret
        <input name="keySecret" type="password" required autoComplete="current-password" />
      </label>
      {problem && <Problem error={problem} />}
      <button type="submit">Sign in</button>
    </form>
  );
}

export function Closed() {
  return (
    <div class="narrow">
      <h1>This server asks for signed requests</h1>
      <p>A browser has no AWS credentials to sign with. Let the command line do it, with those of your shell:</p>
      <pre>{`fermata --server ${location.origin}/api ui`}</pre>
      <p>It serves these pages on your own machine and signs what they ask. To let people sign in here, deploy with ApiAuthorization=KEYS.</p>
    </div>
  );
}

export function Unreachable() {
  return (
    <div class="narrow">
      <Problem error={new Error("The server does not answer. It may be starting, or the network is gone.")} again={() => void begin()} />
    </div>
  );
}

export function Nowhere() {
  return (
    <div class="narrow">
      <h1>There is no such page</h1>
      <p>
        The address may be mistyped. <a href={FIRST}>See all executions</a>
      </p>
    </div>
  );
}
