// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
import { CopyButton } from "./copy-button.tsx";

export type SampleLanguage = "bash" | "javascript" | "python";

type Props = {
  code: string;
  /** Shown above the code and used in the copy button's name: "curl", "API key". */
  title: string;
  /** Of a sample that can be run; the test of the documentation runs it. */
  language?: SampleLanguage;
  /** Wraps instead of scrolling. For one long word, such as a key. */
  wrap?: boolean;
};

/** Code that one click selects, with its own scrollbar and a copy button. */
export const CodeBlock = ({ code, title, language, wrap = false }: Props) => (
  <div className="overflow-hidden rounded-xl border border-line bg-canvas">
    <div className="flex min-h-10 items-center justify-between gap-3 border-b border-line bg-surface py-1 pr-2 pl-4">
      <span className="font-medium text-[0.8125rem] text-muted">{title}</span>
      <CopyButton text={code} what={title} />
    </div>
    <pre
      tabIndex={0}
      data-language={language}
      className={`overflow-x-auto px-4 py-3 text-[0.8125rem] text-ink leading-6 focus-visible:-outline-offset-2 ${wrap ? "whitespace-pre-wrap break-all" : ""}`}
    >
      <code className="select-all font-mono">{code}</code>
    </pre>
  </div>
);
