import type { ComponentType } from "react";
import { PageHeader } from "../portal/components/page-header.tsx";
import { Authentication } from "./guides/authentication.tsx";
import { Errors } from "./guides/errors.tsx";
import { GettingStarted } from "./guides/getting-started.tsx";
import { Glossary } from "./guides/glossary.tsx";
import { Idempotency } from "./guides/idempotency.tsx";
import { Pagination } from "./guides/pagination.tsx";
import { RateLimits } from "./guides/rate-limits.tsx";
import { Subscriptions } from "./guides/subscriptions.tsx";
import type { GuideFacts, GuideSlug, guides } from "./guides.ts";

type Props = { guide: (typeof guides)[number]; facts: GuideFacts };

export const GuidePage = ({ guide, facts }: Props) => {
  const Content = contents[guide.slug];
  return (
    <article className="space-y-6">
      <PageHeader title={guide.title} description={guide.description} breadcrumbs={[{ label: "Docs", to: "/docs" }]} />
      <Content {...facts} />
    </article>
  );
};

const contents = {
  "getting-started": GettingStarted,
  authentication: Authentication,
  "rate-limits": RateLimits,
  errors: Errors,
  pagination: Pagination,
  idempotency: Idempotency,
  subscriptions: Subscriptions,
  glossary: Glossary,
} satisfies Record<GuideSlug, ComponentType<GuideFacts>>;
