import { termId } from "../../portal/components/terms.ts";
import { glossary } from "../glossary.ts";
import { Prose, Section } from "../prose.tsx";

export const Glossary = () => (
  <Prose>
    {glossary.map(({ id, title, entries }) => (
      <Section key={id} id={id} title={title}>
        <dl className="divide-y divide-line rounded-xl overflow-hidden border border-line bg-surface px-5">
          {entries.map(({ term, meaning }) => (
            <div
              key={term}
              id={termId(term)}
              className="target:bg-accent-soft -mx-5 px-5 grid scroll-mt-6 gap-x-6 gap-y-0.5 py-3 sm:grid-cols-[11rem_1fr]"
            >
              <dt className="font-semibold text-ink">{term}</dt>
              <dd className="text-muted">{meaning}</dd>
            </div>
          ))}
        </dl>
      </Section>
    ))}
  </Prose>
);
