// A definition that is not there yet: a working example to begin with.
import { useLocation } from "preact-iso";
import { Title } from "../../parts/title.tsx";
import { may } from "../../server/session.ts";
import { definitionAddress } from "../../shell/addresses.ts";
import { Editing } from "./text.tsx";

const EXAMPLE = {
  name: "my_export",
  version: 1,
  schemaVersion: 2,
  description: "Submits an export and waits until it is done",
  inputParameters: ["exportId"],
  tasks: [
    {
      name: "wait_for_export",
      taskReferenceName: "wait_for_export",
      type: "HTTP_POLL",
      inputParameters: {
        http_request: {
          uri: "https://api.example.com/exports/${workflow.input.exportId}",
          method: "GET",
          terminationCondition: "$.output.body.status === 'DONE'",
          pollingInterval: 60,
          pollingStrategy: "FIXED",
        },
      },
    },
  ],
  outputParameters: { result: "${wait_for_export.output.response.body}" },
} as const;

export default function Page() {
  const { route } = useLocation();
  if (!may("admin")) return <p>Registering a definition takes the role admin.</p>;
  return (
    <>
      <Title name="New definition" />
      <Editing begun={JSON.stringify(EXAMPLE, null, 2)} after={({ name, version }) => route(definitionAddress(name, version))} />
    </>
  );
}
