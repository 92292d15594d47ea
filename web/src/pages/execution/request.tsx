// The request that a task makes, as a command to try it by hand. Its input may have to be fetched first.
import { useState } from "preact/hooks";
import type { Task } from "../../conductor/types.ts";
import { Copy } from "../../parts/copy.tsx";
import { curl } from "../../words/curl.ts";
import { wholeTask } from "./look.ts";

const MAKES_REQUESTS = /^(HTTP|HTTP_POLL|AIRPIPE_HTTP)$/;

export function Request({ task }: { task: Task }) {
  const [whole, setWhole] = useState<Task>();
  const [problem, setProblem] = useState("");
  if (!MAKES_REQUESTS.test(task.taskType)) return null;
  const known = task.inputData ? task : whole;
  const command = known && curl(known);
  const fetchInput = () => void wholeTask(task.taskId).then(setWhole, (error: Error) => setProblem(error.message));
  return (
    <details class="more">
      <summary>The request as curl</summary>
      {problem && <p role="alert">{problem}</p>}
      {!known && (
        <button type="button" onClick={fetchInput}>
          Fetch the input, which is large
        </button>
      )}
      {known && !command && <p>The address is not known, so there is no command.</p>}
      {command && (
        <>
          <p class="quiet small">
            Credentials are left out: put yours in place of REDACTED. <Copy text={command} label="Copy the command" />
          </p>
          <pre tabIndex={0}>{command}</pre>
        </>
      )}
    </details>
  );
}
