import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";

type Props = {
  text: string;
  /** Names the copied value in the button's accessible name: "Copy API key". */
  what: string;
};

/** Rendered only where the clipboard API is available. Elsewhere the text can still be selected. */
export const CopyButton = ({ text, what }: Props) => {
  const [ready, setReady] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => setReady(navigator.clipboard !== undefined), []);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!ready) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setReady(false),
    );
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={`Copy ${what}`}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-md px-2 font-medium text-[0.8125rem] text-muted hover:bg-sunken hover:text-ink"
    >
      <Icon name={copied ? "check" : "copy"} className="size-4" />
      <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
    </button>
  );
};
