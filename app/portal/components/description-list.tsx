import type { ReactNode } from "react";

export type Fact = {
  term: string;
  /** In place of the term: the same with its meaning. */
  heading?: ReactNode;
  description: ReactNode;
};

type Props = {
  facts: readonly Fact[];
  /**
   * `rows`: term left, value right. `grid`: value under its term, several columns. `beside`: a grid that becomes rows on
   * screens wide enough to place the list beside other content.
   */
  layout?: keyof typeof looks;
};

export const DescriptionList = ({ facts, layout = "rows" }: Props) => {
  const look = looks[layout];
  return (
    <dl className={`text-sm ${look.list}`}>
      {facts.map((fact) => (
        <div key={fact.term} className={look.fact}>
          <dt className={`text-muted ${look.term}`}>{fact.heading ?? fact.term}</dt>
          <dd className={`min-w-0 font-medium text-ink tabular-nums ${look.description}`}>{fact.description}</dd>
        </div>
      ))}
    </dl>
  );
};

const looks = {
  rows: {
    list: "divide-y divide-line",
    fact: "flex justify-between gap-6 py-2.5 first:pt-0 last:pb-0",
    term: "min-w-20 shrink-0 max-w-1/2",
    description: "text-right",
  },
  grid: {
    list: "grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4",
    fact: "min-w-0",
    term: "",
    description: "mt-0.5",
  },
  beside: {
    list: "grid grid-cols-2 gap-x-6 gap-y-4 lg:max-xl:grid-cols-4 xl:block xl:divide-y xl:divide-line",
    fact: "min-w-0 xl:flex xl:justify-between xl:gap-5 xl:py-2.5 xl:first:pt-0 xl:last:pb-0",
    term: "xl:min-w-20 xl:shrink-0",
    description: "mt-0.5 xl:mt-0 xl:text-right",
  },
} as const;
