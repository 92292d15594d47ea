// Schedules.
export default function Page() {
  return <h1>Schedules</h1>;
}
