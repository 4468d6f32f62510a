import type { ReactNode } from "react";

/** Styles running text: paragraphs, lists and code. */
export const Prose = ({ children }: { children: ReactNode }) => <div className={prose}>{children}</div>;

const prose =
  "max-w-3xl space-y-4 text-ink leading-7 [&_:not(pre)>code]:rounded [&_:not(pre)>code]:bg-sunken [&_:not(pre)>code]:px-1 [&_:not(pre)>code]:py-0.5 [&_:not(pre)>code]:font-mono [&_:not(pre)>code]:text-[0.875em] [&_:not(pre)>code]:[overflow-wrap:anywhere] [&_ol]:list-decimal [&_ol]:space-y-1.5 [&_ol]:pl-6 [&_ul]:list-disc [&_ul]:space-y-1.5 [&_ul]:pl-6";

/** A section with an anchor. */
export const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="space-y-4 pt-4">
    <h2 id={id} className="scroll-mt-6 font-semibold text-ink text-xl leading-7">
      <a href={`#${id}`} className="rounded hover:underline">
        {title}
      </a>
    </h2>
    {children}
  </section>
);

/** A small table in running text that scrolls on narrow screens. */
export const PlainTable = ({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <section tabIndex={0} aria-label={caption} className="overflow-x-auto rounded-xl border border-line bg-surface">
    <table className="w-full text-left text-sm leading-6">
      <caption className="sr-only">{caption}</caption>
      <thead className="bg-canvas text-[0.8125rem] text-muted">
        <tr>
          {head.map((title) => (
            <th key={title} scope="col" className="border-line border-b px-4 py-2 font-medium">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
          <tr key={row}>
            {cells.map((cell, column) =>
              column === 0 ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <th key={column} scope="row" className="px-4 py-2.5 align-top font-medium">
                  {cell}
                </th>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td key={column} className="px-4 py-2.5 align-top text-muted">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
