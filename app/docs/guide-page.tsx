import type { ComponentType } from "react";
import { Link } from "../portal/components/button.tsx";
import { PageHeader } from "../portal/components/page-header.tsx";
import { Assistants } from "./guides/assistants.tsx";
import { Authentication } from "./guides/authentication.tsx";
import { BulkDownloads } from "./guides/bulk-downloads.tsx";
import { Changes } from "./guides/changes.tsx";
import { Clients } from "./guides/clients.tsx";
import { Errors } from "./guides/errors.tsx";
import { FoundKeys } from "./guides/found-keys.tsx";
import { GettingStarted } from "./guides/getting-started.tsx";
import { Glossary } from "./guides/glossary.tsx";
import { Idempotency } from "./guides/idempotency.tsx";
import { Market } from "./guides/market.tsx";
import { Pagination } from "./guides/pagination.tsx";
import { RateLimits } from "./guides/rate-limits.tsx";
import { Schedules } from "./guides/schedules.tsx";
import { Subscriptions } from "./guides/subscriptions.tsx";
import { Watchlist } from "./guides/watchlist.tsx";
import { Webhooks } from "./guides/webhooks.tsx";
import { type GuideFacts, type GuideSlug, guides } from "./guides.ts";

type Guide = (typeof guides)[number];
type Props = { guide: Guide; facts: GuideFacts };

export const GuidePage = ({ guide, facts }: Props) => {
  const Content = contents[guide.slug];
  return (
    <article className="space-y-6">
      <PageHeader title={guide.title} description={guide.description} breadcrumbs={[{ label: "Docs", to: "/docs" }]} />
      <Content {...facts} />
      <Neighbours slug={guide.slug} />
    </article>
  );
};

/** Links to the previous and the next guide. */
const Neighbours = ({ slug }: { slug: GuideSlug }) => {
  const at = guides.findIndex((guide) => guide.slug === slug);
  const [before, after] = [guides[at - 1], guides[at + 1]];
  return (
    <nav aria-label="Other guides" className="grid max-w-3xl gap-3 pt-4 sm:grid-cols-2">
      {before ? <Neighbour guide={before} label="Previous" /> : <span className="max-sm:hidden" />}
      {after ? <Neighbour guide={after} label="Next" className="sm:text-right" /> : null}
    </nav>
  );
};

const Neighbour = ({ guide, label, className = "" }: { guide: Guide; label: string; className?: string }) => (
  <Link
    to={`/docs/${guide.slug}`}
    prefetch="intent"
    className={`block rounded-xl border border-line bg-surface px-5 py-3 transition-colors hover:border-accent-line focus-visible:rounded-xl ${className}`}
  >
    <span className="block text-[0.8125rem] text-muted leading-5">{label}</span>
    <span className="block font-semibold text-accent">{guide.title}</span>
  </Link>
);

const contents = {
  "getting-started": GettingStarted,
  authentication: Authentication,
  "rate-limits": RateLimits,
  errors: Errors,
  pagination: Pagination,
  "bulk-downloads": BulkDownloads,
  idempotency: Idempotency,
  subscriptions: Subscriptions,
  schedules: Schedules,
  watchlist: Watchlist,
  changes: Changes,
  market: Market,
  clients: Clients,
  assistants: Assistants,
  webhooks: Webhooks,
  "found-keys": FoundKeys,
  glossary: Glossary,
} satisfies Record<GuideSlug, ComponentType<GuideFacts>>;
