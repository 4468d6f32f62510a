import { and, eq, max, or, sql } from "drizzle-orm";
import { accounts, supportMessages, supportRequests } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { containsPattern } from "../like.ts";
import type { SupportRequest } from "./request.ts";
import { requestColumns } from "./request-columns.server.ts";
import type { RequestFilter } from "./request-filter.ts";

/** The time of the first unanswered message. */
const waitingSince = sql`coalesce((
  select min(written.created_at) from support_messages written
  where written.request_id = ${supportRequests.id} and not written.by_operator and written.id > coalesce((
    select max(ours.id) from support_messages ours
    where ours.request_id = ${supportRequests.id} and ours.by_operator), 0)
), ${supportRequests.updatedAt})`;

const rank = sql<number>`case ${supportRequests.status} when 'open' then 0 else 1 end`;
const milliseconds = (instant: ReturnType<typeof sql>) => sql`(extract(epoch from ${instant}) * 1000)::bigint`;
/** Ascending: open requests by waiting time, the others by last change. */
const place = sql<number>`case ${supportRequests.status}
  when 'open' then ${milliseconds(waitingSince)} else -${milliseconds(sql`${supportRequests.updatedAt}`)} end`;

export type RequestRow = SupportRequest & {
  username: string;
  waitingSince: Date;
  rank: number;
  place: number;
};

/** One more than `limit`. */
export const searchRequests = (
  db: Tx,
  filter: RequestFilter,
  page: { limit: number; after: [rank: number, place: number, id: number] | null },
): Promise<RequestRow[]> =>
  db
    .select({
      ...requestColumns,
      username: accounts.username,
      waitingSince: waitingSince.mapWith(supportRequests.updatedAt),
      rank,
      place: place.mapWith(Number),
    })
    .from(supportRequests)
    .innerJoin(accounts, eq(accounts.id, supportRequests.accountId))
    .where(
      and(
        filter.status && eq(supportRequests.status, filter.status),
        filter.topic && eq(supportRequests.topic, filter.topic),
        filter.q ? speaksOf(filter.q) : undefined,
        page.after === null
          ? undefined
          : sql`(${rank}, ${place}, ${supportRequests.id}) > (${page.after[0]}::int, ${page.after[1]}::bigint, ${page.after[2]}::int)`,
      ),
    )
    .orderBy(rank, place, supportRequests.id)
    .limit(page.limit + 1);

const speaksOf = (q: string) => {
  const part = containsPattern(q.toLowerCase());
  return or(
    sql`lower(${supportRequests.subject}) like ${part}`,
    sql`lower(${accounts.username}) like ${part}`,
    sql`lower(${accounts.email}) like ${part}`,
    sql`exists (select from support_messages said
      where said.request_id = ${supportRequests.id} and lower(said.body) like ${part})`,
    /^[1-9]\d{0,8}$/.test(q) ? eq(supportRequests.id, Number(q)) : undefined,
  );
};

export const findRequest = async (db: Tx, id: number): Promise<SupportRequest | null> => {
  const [request] = await db.select(requestColumns).from(supportRequests).where(eq(supportRequests.id, id));
  return request ?? null;
};

/** What operators need to know about the account. */
export const findAsker = async (db: Tx, requestId: number) => {
  const [account] = await db
    .select({
      id: accounts.id,
      username: accounts.username,
      email: accounts.email,
      plan: accounts.plan,
      standing: accounts.standing,
      customHourlyLimit: accounts.customHourlyLimit,
      createdAt: accounts.createdAt,
      closedAt: accounts.closedAt,
    })
    .from(supportRequests)
    .innerJoin(accounts, eq(accounts.id, supportRequests.accountId))
    .where(eq(supportRequests.id, requestId));
  return account ?? null;
};

export const lockRequest = async (tx: Tx, id: number): Promise<(SupportRequest & { accountId: number }) | null> => {
  const [request] = await tx
    .select({ ...requestColumns, accountId: supportRequests.accountId })
    .from(supportRequests)
    .where(eq(supportRequests.id, id))
    .for("update");
  return request ?? null;
};

export const lastMessageId = async (tx: Tx, requestId: number): Promise<number> => {
  const [row] = await tx
    .select({ last: max(supportMessages.id) })
    .from(supportMessages)
    .where(eq(supportMessages.requestId, requestId));
  return row?.last ?? 0;
};
