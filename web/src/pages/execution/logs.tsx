// What a task's workers wrote to its log.
import type { LogLine } from "../../conductor/awaited.ts";
import { At } from "../../parts/moment.tsx";
import { ask } from "../../server/client.ts";
import { Opened } from "./opened.tsx";

export function Logs({ taskId }: { taskId: string }) {
  return (
    <Opened title="Logs" of={taskId} load={async (signal) => (await ask<readonly LogLine[] | undefined>(`/api/tasks/${encodeURIComponent(taskId)}/log`, { signal })) ?? []}>
      {(lines) =>
        lines.length === 0 ? (
          <p class="quiet">Nothing was logged.</p>
        ) : (
          <ol class="logs">
            {lines.map((line, index) => (
              <li key={index}>
                <At time={line.createdTime} /> <span class="mono">{line.log}</span>
              </li>
            ))}
          </ol>
        )
      }
    </Opened>
  );
}
