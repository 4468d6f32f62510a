import { Link } from "@remix-run/react";
import { CodeBlock } from "../portal/components/code-block.tsx";
import { PageHeader } from "../portal/components/page-header.tsx";
import { guides } from "./guides.ts";
import { Prose, Section } from "./prose.tsx";

/** @param props.baseUrl with `/api` */
export const OverviewPage = ({ baseUrl }: { baseUrl: string }) => (
  <article className="space-y-6">
    <PageHeader
      title="API documentation"
      description="Shipping routes between ports, as data: schedules, transit times, rates, surcharges and capacity."
    />
    <ul className="grid max-w-3xl gap-3 sm:grid-cols-2">
      {guides.map(({ slug, title, description }) => (
        <li key={slug}>
          <Link
            to={`/docs/${slug}`}
            prefetch="intent"
            className="block h-full rounded-xl border border-line bg-surface px-5 py-4 shadow-card transition-colors hover:border-accent-line focus-visible:rounded-xl"
          >
            <span className="block font-semibold text-ink">{title}</span>
            <span className="mt-0.5 block text-muted text-sm leading-5.5">{description}</span>
          </Link>
        </li>
      ))}
    </ul>
    <Prose>
      <Section id="address" title="Address">
        <CodeBlock title="Every path of this documentation begins with" code={baseUrl} />
      </Section>
      <Section id="conventions" title="Conventions">
        <ul>
          <li>Bodies are JSON in UTF-8, names in snake_case. Answers have no envelope; errors all have one shape.</li>
          <li>
            Timestamps are ISO 8601 in UTC, like <code>2026-11-20T09:30:00Z</code>; dates are <code>YYYY-MM-DD</code>.
          </li>
          <li>
            Money is in minor units beside its currency: <code>132300</code> with <code>USD</code> is $1,323.00.
          </li>
          <li>
            Ports are UN/LOCODEs, countries ISO 3166-1 alpha-2, distances nautical miles, transit times days. Capacity
            is in the cargo type's own unit.
          </li>
          <li>A value that is not known is null, never 0.</li>
          <li>Fields may be added. Ignore those you do not know.</li>
        </ul>
      </Section>
      <Section id="machine-readable" title="For machines">
        <ul>
          <li>
            <a href="/api/openapi.json" className="link">
              /api/openapi.json
            </a>
            : everything in the reference, as OpenAPI 3.1. It is made from the same contracts that check every request
            and every answer.
          </li>
          <li>
            <a href="/llms.txt" className="link">
              /llms.txt
            </a>
            : a list of these documents for language models.
          </li>
        </ul>
      </Section>
    </Prose>
  </article>
);
