// One execution.
export default function Page() {
  return <h1>One execution</h1>;
}
