// Air Pipe.
export default function Page() {
  return <h1>Air Pipe</h1>;
}
