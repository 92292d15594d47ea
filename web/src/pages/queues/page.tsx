// Task queues.
export default function Page() {
  return <h1>Task queues</h1>;
}
