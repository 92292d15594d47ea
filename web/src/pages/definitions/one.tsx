// One definition.
export default function Page() {
  return <h1>One definition</h1>;
}
