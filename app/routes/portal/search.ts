import type { LoaderFunctionArgs } from "@remix-run/node";
import { glossary } from "../../docs/glossary.ts";
import { guides } from "../../docs/guides.ts";
import { keyNames } from "../../domain/api-keys/manage.server.ts";
import { browse } from "../../domain/catalogue/browse.server.ts";
import { maxSearchWords, searchWords } from "../../domain/catalogue/search-words.ts";
import { isoInstant, lastDayOf } from "../../domain/dates.ts";
import { listInvoices } from "../../domain/payments/invoices.server.ts";
import { listSavedSearches } from "../../domain/saved-searches/saved-searches.server.ts";
import { listStatuses } from "../../domain/subscriptions/list.server.ts";
import type { SearchResults } from "../../portal/components/palette/palette-item.ts";
import { termId } from "../../portal/components/terms.ts";
import { countSearch } from "../../portal/request-limits.server.ts";
import { type Visit, visit } from "../../portal/session.server.ts";

const maxRoutes = 8;
const maxOthers = 4;
const maxQueryLength = 100;

/** Search of the command palette: routes, the account's saved searches, subscriptions, invoices and keys, and the documentation. */
export const loader = async (args: LoaderFunctionArgs) => {
  const visitor = await visit(args);
  await countSearch(visitor);
  const q = (new URL(args.request.url).searchParams.get("q") ?? "").trim().slice(0, maxQueryLength);
  const results: SearchResults = q === "" ? nothing : await find(visitor, q);
  return Response.json(results, { headers: { "Cache-Control": "private, no-store" } });
};

const nothing: SearchResults = { routes: [], searches: [], subscriptions: [], invoices: [], keys: [], documents: [] };

const find = async (visitor: Visit, q: string): Promise<SearchResults> => {
  const [routes, searches, subscriptions, invoices, keys] = await Promise.all([
    findRoutes(visitor, q),
    findSavedSearches(visitor, q),
    findSubscriptions(visitor, q),
    findInvoices(visitor, q),
    findKeys(visitor, q),
  ]);
  return { routes, searches, subscriptions, invoices, keys, documents: findDocuments(q) };
};

const findRoutes = async ({ ctx }: Visit, q: string): Promise<SearchResults["routes"]> => {
  const words = searchWords(q).slice(0, maxSearchWords);
  const { rows } = await browse(ctx, { q: words.join(" ") }, { limit: maxRoutes });
  return rows.map(({ id, name, code, carrier }) => ({ id, name, code, carrier: carrier.name }));
};

/** By name. "Saved searches" finds the newest. */
const findSavedSearches = async ({ ctx, caller }: Visit, q: string): Promise<SearchResults["searches"]> =>
  caller
    ? (await listSavedSearches(ctx, caller))
        .filter(({ name }) => mentions(`${name} saved searches`, q))
        .slice(0, maxOthers)
        .map(({ id, name, query }) => ({ id, name, query }))
    : [];

const findSubscriptions = async ({ ctx, caller }: Visit, q: string): Promise<SearchResults["subscriptions"]> => {
  if (!caller) return [];
  return (await listStatuses(ctx, caller))
    .filter(({ routeName, routeCode }) => mentions(`${routeName} ${routeCode}`, q))
    .slice(0, maxOthers)
    .map(({ id, routeName, routeCode, endDate }) => ({
      id,
      name: routeName,
      code: routeCode,
      lastDay: lastDayOf(endDate),
    }));
};

/** By number, such as "2026-000042" or a part of it. */
const findInvoices = async ({ ctx, caller }: Visit, q: string): Promise<SearchResults["invoices"]> => {
  const number = /\d[\d-]+/.exec(q)?.[0];
  if (!caller || number === undefined) return [];
  return (await listInvoices(ctx, caller))
    .filter((invoice) => invoice.number.includes(number))
    .slice(0, maxOthers)
    .map(({ id, number, issuedAt, amountCents, currency }) => ({
      id,
      number,
      issuedAt: isoInstant(issuedAt),
      amountCents,
      currency,
    }));
};

const findKeys = async ({ ctx, caller }: Visit, q: string): Promise<SearchResults["keys"]> =>
  caller ? (await keyNames(ctx, caller)).filter(({ name }) => mentions(name, q)).slice(0, maxOthers) : [];

const documents: SearchResults["documents"] = [
  ...guides.map(({ slug, title, description }) => ({ title, detail: description, to: `/docs/${slug}` })),
  ...glossary.flatMap(({ entries }) =>
    entries.map(({ term, meaning }) => ({ title: term, detail: meaning, to: `/docs/glossary#${termId(term)}` })),
  ),
];

/** Documents with all words in their titles first. */
const findDocuments = (q: string): SearchResults["documents"] =>
  [
    ...new Set([
      ...documents.filter(({ title }) => mentions(title, q)),
      ...documents.filter(({ title, detail }) => mentions(`${title} ${detail}`, q)),
    ]),
  ].slice(0, maxOthers);

/** Whether a text has all words. */
const mentions = (text: string, q: string): boolean =>
  q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
