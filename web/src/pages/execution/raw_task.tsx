// A task's JSON as the API answers it.
import type { Json } from "../../conductor/types.ts";
import { JsonBlock } from "../../parts/json.tsx";
import { wholeTask } from "./look.ts";
import { Opened } from "./opened.tsx";

export function RawTask({ taskId }: { taskId: string }) {
  return (
    <Opened title="JSON" of={taskId} load={() => wholeTask(taskId)}>
      {(task) => <JsonBlock title="Task" value={task as unknown as Json} />}
    </Opened>
  );
}
