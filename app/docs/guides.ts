import type { SampleRoute } from "../api/sample-route.ts";
import type { PlanLimits } from "../domain/plans/plans.ts";

/** The guides in reading order. */
export const guides = [
  {
    slug: "getting-started",
    title: "Getting started",
    description: "From an empty account to a route's data in five minutes.",
  },
  {
    slug: "authentication",
    title: "Authentication",
    description: "Bearer tokens for people, API keys for servers, and which endpoints accept them.",
  },
  {
    slug: "rate-limits",
    title: "Rate limits",
    description: "Limits by plan, the rate limit headers, and how to handle 429.",
  },
  { slug: "errors", title: "Errors", description: "The error body, the status codes, and what to do for each." },
  {
    slug: "pagination",
    title: "Pagination, caching and history",
    description: "Cursor pagination, ETags, and data as of an earlier time.",
  },
  {
    slug: "bulk-downloads",
    title: "Bulk downloads",
    description: "Reports of all subscribed routes as CSV, JSON Lines or Parquet: cost and resuming.",
  },
  {
    slug: "idempotency",
    title: "Idempotency",
    description: "Retry requests safely, without paying or creating anything twice.",
  },
  {
    slug: "subscriptions",
    title: "Subscriptions",
    description: "Terms, discounts, purchase, renewal and subscription states.",
  },
  {
    slug: "schedules",
    title: "Schedules",
    description: "Departures of subscribed routes, with legs and cut-offs as named by DCSA.",
  },
  {
    slug: "watchlist",
    title: "Watchlist and alerts",
    description: "Watch routes and port pairs, and get alerts when rates, space or schedules change.",
  },
  {
    slug: "changes",
    title: "Following changes",
    description: "Poll for changes of your routes, or stream them as they happen.",
  },
  {
    slug: "market",
    title: "Samples and markets",
    description: "Routes to try without a subscription, carrier comparison, and market rates by trade lane.",
  },
  {
    slug: "clients",
    title: "TypeScript and Python",
    description: "Generated clients with retries, pagination and webhook verification.",
  },
  {
    slug: "assistants",
    title: "AI assistants (MCP)",
    description: "Let Claude, Cursor and other assistants read the catalogue and your data.",
  },
  {
    slug: "webhooks",
    title: "Webhooks",
    description: "Events sent to your endpoint: types, signatures, retries and replay.",
  },
  {
    slug: "found-keys",
    title: "Found a key?",
    description: "Report an API key that you have found in public: we revoke it and tell its account.",
  },
  { slug: "glossary", title: "Glossary", description: "Terms of shipping and of this service." },
] as const;

export type GuideSlug = (typeof guides)[number]["slug"];

export const guideOf = (slug: string | undefined) => guides.find((guide) => guide.slug === slug) ?? null;

/** Figures that the guides take from the service, so that they always agree with it. */
export type GuideFacts = {
  /** With `/api`, without a trailing slash. */
  baseUrl: string;
  testMode: boolean;
  sample: SampleRoute;
  plans: (PlanLimits & { name: string })[];
  anonymousHourly: number;
  errors: { status: number; when: string; message: string }[];
  terms: { term: string; discountPercent: number }[];
  /** Most that a renewal may cost above what was last paid, in percent. */
  renewalCapPercent: number;
};
