// Executions.
export default function Page() {
  return <h1>Executions</h1>;
}
