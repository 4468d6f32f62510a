import type { ReactNode } from "react";

export type Fact = { term: string; description: ReactNode };

type Props = {
  facts: readonly Fact[];
  /** `rows`: term left, value right. `grid`: value under its term, several abreast. */
  layout?: "rows" | "grid";
};

export const DescriptionList = ({ facts, layout = "rows" }: Props) => (
  <dl
    className={
      layout === "grid" ? "grid grid-cols-2 gap-x-6 gap-y-4 text-sm lg:grid-cols-4" : "divide-y divide-line text-sm"
    }
  >
    {facts.map((fact) => (
      <div
        key={fact.term}
        className={layout === "grid" ? "min-w-0" : "flex justify-between gap-6 py-2.5 first:pt-0 last:pb-0"}
      >
        <dt className={`text-muted ${layout === "grid" ? "" : "min-w-20 shrink-0 max-w-1/2"}`}>{fact.term}</dt>
        <dd className={`min-w-0 font-medium text-ink tabular-nums ${layout === "grid" ? "mt-0.5" : "text-right"}`}>
          {fact.description}
        </dd>
      </div>
    ))}
  </dl>
);
