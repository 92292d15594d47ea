// What the list says when there is nothing to list.
import { Empty } from "../../parts/problem.tsx";

export function None() {
  return (
    <Empty>
      <p>Nothing has run here yet.</p>
      <p>
        <a href="/ui/definitions">Start a definition</a>, or begin with the example, from the folder of Fermata:
      </p>
      <pre class="commands">{"fermata workflow create examples/http-poll-external-job.json\nfermata workflow start -w http_poll_external_job -i '{\"jobApiUrl\": \"…\", \"dataset\": \"orders\"}'"}</pre>
      <p>
        <code>fermata demo</code> plays the same without a server, with the job API beside it.
      </p>
    </Empty>
  );
}

export function NoneSuch({ everything }: { everything: string }) {
  return (
    <Empty>
      <p>No execution is like that.</p>
      <p>
        <a href={everything}>See all of them</a>
      </p>
    </Empty>
  );
}
