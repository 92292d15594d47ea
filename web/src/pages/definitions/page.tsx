// Definitions.
export default function Page() {
  return <h1>Definitions</h1>;
}
