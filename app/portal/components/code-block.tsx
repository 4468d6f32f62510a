// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
import { CopyButton } from "./copy-button.tsx";

type Props = {
  code: string;
  /** What it is, shown above it and used for the button's name: "curl", "API key". */
  title: string;
  /** All of it is seen on a narrow screen: for one long word, such as a key. */
  wrap?: boolean;
};

/** Selectable with one click, scrolls by itself, copies with a button. */
export const CodeBlock = ({ code, title, wrap = false }: Props) => (
  <div className="overflow-hidden rounded-xl border border-line bg-canvas">
    <div className="flex min-h-10 items-center justify-between gap-3 border-b border-line bg-surface py-1 pr-2 pl-4">
      <span className="font-medium text-[0.8125rem] text-muted">{title}</span>
      <CopyButton text={code} what={title} />
    </div>
    <pre
      tabIndex={0}
      className={`overflow-x-auto px-4 py-3 text-[0.8125rem] text-ink leading-6 focus-visible:-outline-offset-2 ${wrap ? "whitespace-pre-wrap break-all" : ""}`}
    >
      <code className="select-all font-mono">{code}</code>
    </pre>
  </div>
);
