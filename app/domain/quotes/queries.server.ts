import { and, asc, desc, eq, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { accounts, orders, quoteLines, quotes, routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import { containsPattern } from "../like.ts";
import { type Offer, type QuoteLineRow, quoteState, type SalesQuote } from "./quote.ts";
import type { QuoteFilter } from "./quote-filter.ts";

export const insertQuote = async (
  tx: Tx,
  row: typeof quotes.$inferInsert,
  lines: Omit<typeof quoteLines.$inferInsert, "quoteId">[],
): Promise<number> => {
  const [quote] = await tx.insert(quotes).values(row).returning({ id: quotes.id });
  if (!quote) throw new Error("The insert returned no quote");
  await tx.insert(quoteLines).values(lines.map((line) => ({ ...line, quoteId: quote.id })));
  return quote.id;
};

export const setQuote = (tx: Tx, id: number, set: Partial<typeof quotes.$inferInsert>) =>
  tx.update(quotes).set(set).where(eq(quotes.id, id));

export const setLine = (tx: Tx, id: number, set: Partial<typeof quoteLines.$inferInsert>) =>
  tx.update(quoteLines).set(set).where(eq(quoteLines.id, id));

/** Requested and offered quotes of the account. */
export const countOpen = (tx: Tx, accountId: number): Promise<number> =>
  tx.$count(quotes, and(eq(quotes.accountId, accountId), inArray(quotes.status, ["requested", "offered"])));

/** Plain column names, as drizzle leaves out the table's name in a query of a single table. */
const ofLines = <T>(expression: SQL) =>
  sql<T>`(select ${expression} from quote_lines line where line.quote_id = ${quotes.id})`.mapWith(Number);

const columns = {
  quote: quotes,
  username: accounts.username,
  orderId: orders.id,
  orderStatus: orders.status,
  routes: ofLines<number>(sql`count(distinct line.route_id)`),
  listCents: ofLines<number>(sql`coalesce(sum(line.list_cents), 0)`),
  totalCents: ofLines<number>(sql`coalesce(sum(line.total_cents), 0)`),
};

const selectQuotes = (db: Tx) =>
  db
    .select(columns)
    .from(quotes)
    .innerJoin(accounts, eq(accounts.id, quotes.accountId))
    .leftJoin(orders, eq(orders.quoteId, quotes.id));

type Selected = Awaited<ReturnType<typeof selectQuotes>>[number];

export type NamedQuote = SalesQuote & { username: string };

const quoteOf = ({ quote, orderId, orderStatus, ...row }: Selected, today: Day): NamedQuote => {
  const { status, discountPercent, validThrough, offeredAt, offeredBy, offerNote, ...kept } = quote;
  const { keepsDiscount, discountThrough, ...facts } = kept;
  const offer: Offer | null =
    discountPercent === null || validThrough === null || offeredAt === null || offeredBy === null
      ? null
      : { discountPercent, validThrough, keepsDiscount, discountThrough, note: offerNote ?? "", offeredAt, offeredBy };
  const isPaid = orderStatus !== null && orderStatus !== "pending";
  const state = quoteState({ status, validThrough, isOrdered: orderId !== null, isPaid }, today);
  return { ...facts, ...row, state, offer, orderId };
};

export const findQuote = async (db: Tx, id: number, today: Day): Promise<NamedQuote | null> => {
  const [row] = await selectQuotes(db).where(eq(quotes.id, id));
  return row ? quoteOf(row, today) : null;
};

/** Newest first. */
export const quotesOfAccount = async (db: Tx, accountId: number, today: Day): Promise<NamedQuote[]> =>
  (await selectQuotes(db).where(eq(quotes.accountId, accountId)).orderBy(desc(quotes.id))).map((row) =>
    quoteOf(row, today),
  );

/** Locks the quote until the transaction ends, after its account. */
export const lockQuote = async (tx: Tx, id: number, today: Day): Promise<NamedQuote | null> => {
  await tx.select({ id: quotes.id }).from(quotes).where(eq(quotes.id, id)).for("update");
  return findQuote(tx, id, today);
};

export const linesOf = (db: Tx, quoteId: number): Promise<QuoteLineRow[]> =>
  db
    .select({
      id: quoteLines.id,
      periodId: quoteLines.periodId,
      routeId: quoteLines.routeId,
      routeName: routes.name,
      routeCode: routes.code,
      term: quoteLines.term,
      monthlyCents: quoteLines.monthlyCents,
      listCents: quoteLines.listCents,
      termDiscountPercent: quoteLines.termDiscountPercent,
      volumeDiscountPercent: quoteLines.volumeDiscountPercent,
      discountCents: quoteLines.discountCents,
      totalCents: quoteLines.totalCents,
    })
    .from(quoteLines)
    .innerJoin(routes, eq(routes.id, quoteLines.routeId))
    .where(eq(quoteLines.quoteId, quoteId))
    .orderBy(asc(quoteLines.id));

/** Up to `limit` + 1, requests without an answer first, then newest first. */
export const searchQuotes = async (
  db: Tx,
  filter: QuoteFilter,
  page: { limit: number; after: [rank: number, id: number] | null },
  today: Day,
): Promise<(NamedQuote & { rank: number })[]> => {
  const rank = sql<number>`case ${quotes.status} when 'requested' then 0 else 1 end`;
  const rows = await selectQuotes(db)
    .where(
      and(
        filter.status && eq(quotes.status, filter.status),
        filter.q ? speaksOf(filter.q) : undefined,
        page.after ? sql`(${rank}, -${quotes.id}) > (${page.after[0]}::int, -${page.after[1]}::int)` : undefined,
      ),
    )
    .orderBy(rank, desc(quotes.id))
    .limit(page.limit + 1);
  return rows.map((row) => ({ ...quoteOf(row, today), rank: row.quote.status === "requested" ? 0 : 1 }));
};

const speaksOf = (q: string) => {
  const part = containsPattern(q.toLowerCase());
  return or(
    sql`lower(${accounts.username}) like ${part}`,
    sql`lower(${accounts.email}) like ${part}`,
    /^[1-9]\d{0,8}$/.test(q) ? eq(quotes.id, Number(q)) : undefined,
  );
};

/** Quotes that nobody has paid by the last day of their offer and that have no open order. Oldest first. */
export const overdueQuotes = (db: Tx, today: Day, limit: number) =>
  db
    .select({ id: quotes.id, accountId: quotes.accountId })
    .from(quotes)
    .leftJoin(orders, eq(orders.quoteId, quotes.id))
    .where(
      and(inArray(quotes.status, ["offered", "accepted"]), lt(quotes.validThrough, today), sql`${orders.id} is null`),
    )
    .orderBy(asc(quotes.id))
    .limit(limit);

/** What the closed account leaves undecided. */
export const withdrawOpen = (tx: Tx, accountId: number, now: Date) =>
  tx
    .update(quotes)
    .set({ status: "withdrawn", endedAt: now })
    .where(and(eq(quotes.accountId, accountId), inArray(quotes.status, ["requested", "offered"])));
