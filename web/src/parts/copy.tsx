// A button that puts a text on the clipboard and says so.
import { useState } from "preact/hooks";

export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Not allowed by the browser: mark and copy it by hand");
    }
    setTimeout(() => setSaid(""), 2000);
  };
  return (
    <>
      <button type="button" class="plain" onClick={copy}>
        {said || label}
      </button>
      <span class="hidden-visually" role="status">
        {said}
      </span>
    </>
  );
}
