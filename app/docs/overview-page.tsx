import { Link } from "../portal/components/button.tsx";
import { CodeBlock } from "../portal/components/code-block.tsx";
import { PageHeader } from "../portal/components/page-header.tsx";
import { guides } from "./guides.ts";
import { Prose, Section } from "./prose.tsx";

/** @param props.baseUrl with `/api` */
export const OverviewPage = ({ baseUrl }: { baseUrl: string }) => (
  <article className="space-y-6">
    <PageHeader
      title="API documentation"
      description="Schedules, transit times, rates, surcharges and capacity of shipping routes, as JSON."
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
      <Section id="address" title="Base URL">
        <CodeBlock title="All paths are relative to" code={baseUrl} />
      </Section>
      <Section id="conventions" title="Conventions">
        <ul>
          <li>
            Bodies are JSON in UTF-8 with names in snake_case. Successful responses have no envelope; all errors have
            the same body.
          </li>
          <li>
            Timestamps are ISO 8601 in UTC, like <code>2026-11-20T09:30:00.000Z</code>; dates are{" "}
            <code>YYYY-MM-DD</code>.
          </li>
          <li>
            Money is in minor units with its currency: <code>132300</code> with <code>USD</code> is $1,323.00.
          </li>
          <li>
            Ports are UN/LOCODEs, countries ISO 3166-1 alpha-2, distances nautical miles, transit times days. Capacity
            is in the cargo type's own unit.
          </li>
          <li>Unknown values are null, never 0.</li>
          <li>
            We may add fields: ignore those you do not know. The{" "}
            <Link to="/docs/changelog" prefetch="intent" className="link">
              changelog
            </Link>{" "}
            lists all changes.
          </li>
        </ul>
      </Section>
      <Section id="machine-readable" title="Machine-readable">
        <ul>
          <li>
            <a href="/api/openapi.json" className="link">
              /api/openapi.json
            </a>
            : the whole reference as OpenAPI 3.1, generated from the same contracts that validate every request and
            response.
          </li>
          <li>
            <a href="/llms.txt" className="link">
              /llms.txt
            </a>
            : an index of this documentation for language models.
          </li>
          <li>
            <Link to="/docs/assistants" prefetch="intent" className="link">
              /api/mcp
            </Link>
            : a Model Context Protocol server for AI assistants.
          </li>
        </ul>
      </Section>
    </Prose>
  </article>
);
