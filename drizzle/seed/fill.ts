/** Fills an account with thirteen months of purchases and requests, through the ordinary verbs. */
import { changePlan, setAgreedDiscount } from "#app/domain/accounts/account-changes.server.ts";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { lockAccountByEmail } from "#app/domain/accounts/lock.server.ts";
import { recognise } from "#app/domain/accounts/session.server.ts";
import { signIn } from "#app/domain/accounts/sign-in.server.ts";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";
import { browse, summariesOf } from "#app/domain/catalogue/browse.server.ts";
import type { Context } from "#app/domain/context.ts";
import { addDays, type Day, dayOf, startOf } from "#app/domain/dates.ts";
import type { Term } from "#app/domain/pricing/discounts.ts";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { recordUsage } from "#app/domain/usage/record.server.ts";
import { newRequestId } from "#app/domain/usage/request-id.ts";
import { sumUpAccounts } from "#app/domain/usage/sum-up-accounts.server.ts";
import type { UsageRecord } from "#app/domain/usage/usage-record.ts";
import { type Base, buyNow, worldAt } from "./simulated-past.ts";

export type Filling = { subscriptions: number; logs: number };

const daysBack = 395;
const terms: Term[] = ["12_months", "1_month", "6_months", "3_months", "12_months", "2_months"];
const routesPerOrder = 4;
const keyNames = ["Rate sync, production", "Schedules, data warehouse", "Pricing desk"];

/**
 * Not idempotent: every run adds more. The account gets the enterprise plan and an agreed discount, as other plans
 * cannot buy as many routes and keep logs for a shorter time.
 */
export const fill = async (
  base: Base,
  holder: { email: string; password: string },
  { subscriptions, logs }: Filling,
  report: (line: string) => void,
): Promise<void> => {
  await base.db.transaction(async (tx) => {
    const locked = await lockAccountByEmail(tx, holder.email);
    if (!locked) throw new Error("There is no account to fill");
    const by = { operator: null, now: base.clock.now() };
    await changePlan(locked, { plan: "enterprise", reason: "To fill the account" }, by);
    await setAgreedDiscount(locked, { percent: 10, through: null, agreedBy: null }, by);
  });
  const today = dayOf(base.clock.now());
  const { ctx } = worldAt(base, today);
  const { token } = await signIn(ctx, holder, "bearer", { ipAddress: null, userAgent: "fill" });
  const caller = await recognise(ctx, token, "bearer");
  if (!caller) throw new Error("The account was not recognised");

  const routes = await unknownRoutes(ctx, caller, subscriptions);
  const orders = Math.ceil(routes.length / routesPerOrder);
  for (let order = 0; order < orders; order++) {
    const day = addDays(today, -Math.round(daysBack * (1 - order / orders)));
    await buyOn(base, caller, day, routes.slice(order * routesPerOrder, (order + 1) * routesPerOrder), order);
  }
  report(`Bought ${routes.length} subscriptions in ${orders} orders`);

  const created = worldAt(base, addDays(today, -daysBack)).ctx;
  const keys: Key[] = [];
  for (const name of keyNames) {
    keys.push(await issueKey(created, caller, { api_key_name: name, user: caller.account.username }));
  }
  const subscribed = (await listSubscriptions(ctx, caller)).map(({ routeId }) => routeId);
  await writeRequests(ctx, { accountId: caller.account.id, keys, routes: subscribed, logs }, report);
};

type Key = { id: number; name: string };

/** Routes to which the account has never subscribed. */
const unknownRoutes = async (ctx: Context, caller: Caller, count: number): Promise<number[]> => {
  const known = new Set((await listSubscriptions(ctx, caller)).map(({ routeId }) => routeId));
  const found: number[] = [];
  for (let cursor: string | undefined; found.length < count; ) {
    const page = await browse(ctx, {}, { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.rows.map(({ id }) => id).filter((id) => !known.has(id)));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return found.slice(0, count);
};

const buyOn = async (base: Base, caller: Caller, day: Day, routeIds: number[], order: number): Promise<void> => {
  const world = worldAt(base, day);
  const items = (await summariesOf(world.ctx, routeIds)).flatMap(({ periods: [period] }, index) =>
    period ? [{ periodId: period.id, term: terms[(order + index) % terms.length] ?? "1_month" }] : [],
  );
  if (items.length > 0) await buyNow(world, caller, { items, autoRenew: order % 3 > 0 });
};

/** Traffic grows from month to month and drops at weekends. Most requests read route data. */
const writeRequests = async (
  ctx: Context,
  of: { accountId: number; keys: Key[]; routes: number[]; logs: number },
  report: (line: string) => void,
): Promise<void> => {
  const chance = seededRandom("filling");
  const today = dayOf(ctx.clock.now());
  const days = Array.from({ length: daysBack }, (_, index) => addDays(today, index - daysBack + 1));
  const weights = days.map((day, index) => weekdayWeight(day) * (0.4 + index / daysBack) * (0.7 + 0.6 * chance()));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let written = 0;
  for (const [index, day] of days.entries()) {
    const count = Math.round((of.logs * (weights[index] ?? 0)) / whole);
    const latestMs = Math.min(86_400_000, ctx.clock.now().getTime() - startOf(day).getTime());
    const times = Array.from({ length: count }, () => startOf(day).getTime() + Math.floor(chance() * latestMs));
    const records = times.sort((a, b) => a - b).map((at) => requestAt(new Date(at), of, chance));
    await Promise.all(records.map((record) => recordUsage(ctx, record)));
    written += count;
    if ((index + 1) % 50 === 0) report(`${written.toLocaleString("en-US")} requests`);
  }
  await sumUpAccounts(ctx, days[0] === undefined ? {} : { since: days[0] });
  report(`Wrote ${written.toLocaleString("en-US")} requests`);
};

const weekdayWeight = (day: Day): number => ([0, 6].includes(startOf(day).getUTCDay()) ? 0.35 : 1);

const requestAt = (
  occurredAt: Date,
  { accountId, keys, routes }: { accountId: number; keys: Key[]; routes: number[] },
  chance: () => number,
): UsageRecord => {
  const pick = <Item>(items: Item[]): Item | undefined => items[Math.floor(chance() ** 2 * items.length)];
  const isData = chance() < 0.8;
  const key = isData ? (pick(keys) ?? null) : null;
  const status = chance() < 0.03 ? (pick([403, 429, 404, 422, 500]) ?? 500) : isData && chance() < 0.35 ? 304 : 200;
  return {
    accountId,
    occurredAt,
    method: "GET",
    endpoint: isData ? "/api-routes-data" : (pick(byToken) ?? "/subscriptions/my-routes"),
    status,
    durationMs: Math.round(4 + 60 * chance() ** 4),
    responseBytes: status === 200 ? 8_000 + Math.round(24_000 * chance()) : 120,
    requestCost: 1,
    apiKeyId: key?.id ?? null,
    apiKeyName: key?.name ?? null,
    routeId: isData ? (pick(routes) ?? null) : null,
    requestId: newRequestId(occurredAt),
  };
};

const byToken = ["/route-access/all-routes", "/subscriptions/my-routes", "/api-usage-logs", "/subscriptions/my-stats"];
