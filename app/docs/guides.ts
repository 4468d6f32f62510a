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
    description: "Bearer tokens for people, API keys for servers, and which endpoint takes which.",
  },
  {
    slug: "rate-limits",
    title: "Rate limits",
    description: "What each plan allows, the headers that tell what is left, and what to do on 429.",
  },
  { slug: "errors", title: "Errors", description: "One shape for every error, and what each status asks of you." },
  {
    slug: "pagination",
    title: "Pages and caching",
    description: "Cursors through long lists, and ETags that save what has not changed.",
  },
  {
    slug: "idempotency",
    title: "Safe repetition",
    description: "How to repeat a request that was cut off without doing anything twice.",
  },
  {
    slug: "subscriptions",
    title: "Subscriptions",
    description: "Terms, discounts, renewal and the states a subscription goes through.",
  },
  {
    slug: "schedules",
    title: "Schedules",
    description: "Departures of all subscribed routes, with legs and cut-offs in DCSA's names.",
  },
  { slug: "glossary", title: "Glossary", description: "The words of shipping and of this service." },
] as const;

export type GuideSlug = (typeof guides)[number]["slug"];

export const guideOf = (slug: string | undefined) => guides.find((guide) => guide.slug === slug) ?? null;

/** Figures that the guides take from the service, so that they always agree with it. */
export type GuideFacts = {
  /** With `/api`, without a trailing slash. */
  baseUrl: string;
  testMode: boolean;
  plans: (PlanLimits & { name: string })[];
  anonymousHourly: number;
  errors: { status: number; when: string; message: string }[];
  terms: { term: string; discountPercent: number }[];
};
