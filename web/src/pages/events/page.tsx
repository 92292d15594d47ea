// Event handlers.
export default function Page() {
  return <h1>Event handlers</h1>;
}
