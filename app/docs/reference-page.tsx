import { Link } from "../portal/components/button.tsx";
import { Card } from "../portal/components/card.tsx";
import { PageHeader } from "../portal/components/page-header.tsx";
import { MethodBadge } from "./method-badge.tsx";
import type { ReferenceGroup } from "./reference.ts";

export const ReferencePage = ({ groups }: { groups: readonly ReferenceGroup[] }) => (
  <article className="space-y-6">
    <PageHeader
      title="All endpoints"
      description="Each page has samples in three languages, a console, the parameters and the responses."
      breadcrumbs={[{ label: "Docs", to: "/docs" }]}
    />
    {groups.map(({ tag, description, operations }) => (
      <Card key={tag} title={tag} description={description} flush>
        <ul className="divide-y divide-line">
          {operations.map(({ slug, method, path, summary }) => (
            <li key={slug}>
              <Link
                to={`/docs/reference/${slug}`}
                prefetch="intent"
                className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-5 py-3 hover:bg-canvas focus-visible:-outline-offset-2"
              >
                <MethodBadge method={method} />
                <code className="font-mono text-[0.8125rem] text-ink [overflow-wrap:anywhere]">{path}</code>
                <span className="w-full text-muted text-sm sm:ml-auto sm:w-auto">{summary}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    ))}
  </article>
);
