/** Hundreds of accounts that read route data by key, and the two routes that they read. */
import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { displayPrefix, hashSecret, writeSecret } from "../app/domain/api-keys/secret.ts";
import { browse } from "../app/domain/catalogue/browse.server.ts";
import { accounts, apiKeys, subscriptions } from "../drizzle/schema/index.ts";
import { buy, newCustomer, routeOnSale, type Stage } from "./stage.ts";

type Route = { id: number; periodId: number };

export type Reading = { readers: Record<string, string>[]; small: Route; large: Route };

/**
 * Registers one account and copies it, with a key and subscriptions to both routes each. Registering hundreds would take
 * minutes, nearly all of it to hash passwords.
 */
export const prepareReading = async (stage: Stage, count: number): Promise<Reading> => {
  const { db, clock } = stage.ctx;
  const large = await routeOnSale(stage);
  const small = await pareDownRoute(stage);
  const model = await newCustomer(stage, "bench-model");
  for (const { periodId } of [small, large]) await buy(stage, model, periodId);

  const [account] = await db.select().from(accounts).where(eq(accounts.id, model.caller.account.id));
  const bought = await db.select().from(subscriptions).where(eq(subscriptions.accountId, model.caller.account.id));
  if (!account) throw new Error("The account that was just created is missing");
  const copies = await db
    .insert(accounts)
    .values(
      Array.from({ length: count }, (_, index) => {
        const username = `bench-${index + 1}`;
        return { ...account, id: undefined, username, email: `${username}@example.com`, stripeCustomerId: null };
      }),
    )
    .returning({ accountId: accounts.id, username: accounts.username });
  await db
    .insert(subscriptions)
    .values(copies.flatMap(({ accountId }) => bought.map((row) => ({ ...row, id: undefined, accountId }))));
  const holders = copies.map((copy) => ({ ...copy, secret: writeSecret(randomBytes(32)) }));
  await db.insert(apiKeys).values(
    holders.map(({ accountId, username, secret }) => ({
      accountId,
      name: "bench",
      user: username,
      secretHash: hashSecret(secret),
      displayPrefix: displayPrefix(secret),
      createdAt: clock.now(),
    })),
  );
  await db.execute(sql`analyze`);
  const readers = holders.map(({ username, secret }) => ({ "X-API-Key": secret, "X-Username": username }));
  return { readers, small, large };
};

/**
 * No route of the demo has an answer as small as 2 KB. This one has 5 KB without reports; without sailings, surcharges and
 * past periods, 2 KB remain.
 */
const pareDownRoute = async ({ ctx }: Stage): Promise<Route> => {
  const { rows } = await browse(ctx, { q: "B-GBTEE-NLAMS-UMB9" }, { limit: 1 });
  const [route] = rows;
  const periodId = route?.periods[0]?.id;
  if (!route || periodId === undefined) throw new Error("The small route is not on sale");
  await ctx.db.transaction(async (tx) => {
    // Neither the history of changes nor foreign keys matter here.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(
      sql`delete from sailing_legs where sailing_id in (select id from sailings where route_id = ${route.id})`,
    );
    await tx.execute(sql`delete from sailings where route_id = ${route.id}`);
    await tx.execute(sql`delete from surcharges where route_id = ${route.id}`);
    const periodsOf = sql`select id from periods where route_id = ${route.id}`;
    await tx.execute(sql`delete from reports where period_id in (${periodsOf})`);
    await tx.execute(sql`delete from period_prices where period_id in (${periodsOf} and ends_on is not null)`);
    await tx.execute(sql`delete from periods where route_id = ${route.id} and ends_on is not null`);
  });
  return { id: route.id, periodId };
};
