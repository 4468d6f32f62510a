/** Seeds the demo accounts through the ordinary verbs, at moments in the past. */
import type { Caller, SessionProof } from "#app/domain/accounts/caller.ts";
import type { Registration } from "#app/domain/accounts/credentials.ts";
import { verifyEmail } from "#app/domain/accounts/email-verification.server.ts";
import { register } from "#app/domain/accounts/register.server.ts";
import { recognise } from "#app/domain/accounts/session.server.ts";
import { signIn } from "#app/domain/accounts/sign-in.server.ts";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";
import { findRouteId, summariesOf } from "#app/domain/catalogue/browse.server.ts";
import type { Context } from "#app/domain/context.ts";
import { addDays, dayOf, startOf } from "#app/domain/dates.ts";
import { Refusal } from "#app/domain/errors.ts";
import { listMailbox } from "#app/domain/notifications/outbox.server.ts";
import { grantOperator } from "#app/domain/operations/operators.server.ts";
import type { Term } from "#app/domain/pricing/discounts.ts";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import { recordUsage } from "#app/domain/usage/record.server.ts";
import { newRequestId } from "#app/domain/usage/request-id.ts";
import { deleteExpiredLogs } from "#app/domain/usage/retention.server.ts";
import { sumUpAccounts } from "#app/domain/usage/sum-up-accounts.server.ts";
import type { UsageRecord } from "#app/domain/usage/usage-record.ts";
import { demo, demoApiKey, demoKeyBytes, demoOperator, featuredRouteCode, type SeededDemo } from "./demo-identity.ts";
import { type Base, buyNow, type World, worldAt } from "./simulated-past.ts";

const origin = { ipAddress: null, userAgent: "curl/8.5.0" };
/** After the first purchases, as a customer would do it. */
const keyDaysAgo = 95;

type Purchase = { code: string; daysAgo: number; term: Term; autoRenew: boolean };

const purchases: Purchase[] = [
  { code: featuredRouteCode, daysAgo: 100, term: "12_months", autoRenew: true },
  { code: "B-AUPHE-CNTAO-GRN9", daysAgo: 26, term: "1_month", autoRenew: true },
  { code: "R-JPNGO-BEZEE-AUT9", daysAgo: 40, term: "2_months", autoRenew: false },
  { code: "C-CNNGB-GBFXT-MRG9", daysAgo: 330, term: "3_months", autoRenew: false },
];

/** Idempotent. */
export const seedDemoAccount = async (base: Base): Promise<SeededDemo> => {
  const today = dayOf(base.clock.now());
  const now = worldAt(base, today).ctx;
  const demoRouteId = await routeIdOf(now, featuredRouteCode);
  const seeded = { demoApiKey, demoUsername: demo.username, demoRouteId };

  if (!(await opened(worldAt(base, addDays(today, -340)).ctx, demo))) return seeded;
  const buyAll = async (wanted: Purchase[]) => {
    for (const purchase of wanted.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
      await buy(worldAt(base, addDays(today, -purchase.daysAgo)), purchase);
    }
  };
  await buyAll(purchases.filter(({ daysAgo }) => daysAgo > keyDaysAgo));
  const created = { ...worldAt(base, addDays(today, -keyDaysAgo)).ctx, random: { bytes: () => demoKeyBytes } };
  const caller = await callerIn(created);
  const key = await issueKey(created, caller, { api_key_name: "Rate sync, demo", user: demo.username });
  await buyAll(purchases.filter(({ daysAgo }) => daysAgo <= keyDaysAgo));
  await writeUsage(now, caller, key, demoRouteId);
  return seeded;
};

/** Idempotent. */
export const seedDemoOperator = async (base: Base): Promise<void> => {
  const { ctx } = worldAt(base, addDays(dayOf(base.clock.now()), -340));
  if (await opened(ctx, demoOperator)) await grantOperator(ctx, demoOperator);
};

/** Registers an account and verifies its address. @returns false if the account exists */
const opened = async (ctx: Context, account: Registration): Promise<boolean> => {
  try {
    const registered = await register(ctx, account, origin);
    const caller: Caller<SessionProof> = { account: registered, proof: { scheme: "portal", sessionId: "" } };
    const [mail] = await listMailbox(ctx, { secrets: true, limit: 1 });
    await verifyEmail(ctx, caller, { token: /verify-email\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "" });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "conflict") return false;
    throw error;
  }
};

const callerIn = async (ctx: Context): Promise<Caller<SessionProof>> => {
  const { token } = await signIn(ctx, demo, "bearer", origin);
  const caller = await recognise(ctx, token, "bearer");
  if (!caller) throw new Error("The demo account was not recognised");
  return caller;
};

const routeIdOf = async (ctx: Context, code: string): Promise<number> => {
  const id = await findRouteId(ctx, code);
  if (id === null) throw new Error(`The demo's route ${code} is not in the catalogue`);
  return id;
};

const buy = async (world: World, { code, term, autoRenew }: Purchase): Promise<void> => {
  // A search would read its index for the day of each purchase.
  const [route] = await summariesOf(world.ctx, [await routeIdOf(world.ctx, code)]);
  const periodId = route?.periods[0]?.id;
  if (periodId === undefined) throw new Error(`${code} had nothing on sale`);
  await buyNow(world, await callerIn(world.ctx), { items: [{ periodId, term }], autoRenew });
};

const daysOfUse = 45;

/** Some weeks of a client that reads its route every few hours, less often at weekends, with an occasional failure. */
const writeUsage = async (
  ctx: Context,
  caller: Caller,
  key: { id: number; name: string },
  routeId: number,
): Promise<void> => {
  const chance = seededRandom("demo usage");
  const today = dayOf(ctx.clock.now());
  const records: UsageRecord[] = [];
  for (let daysAgo = daysOfUse; daysAgo >= 1; daysAgo--) {
    const day = addDays(today, -daysAgo);
    const isWeekend = [0, 6].includes(startOf(day).getUTCDay());
    const requests = Math.round((isWeekend ? 12 : 34) * (0.7 + 0.6 * chance()));
    for (let i = 0; i < requests; i++) {
      const status = chance() < 0.02 ? 403 : chance() < 0.3 ? 304 : 200;
      const occurredAt = new Date(startOf(day).getTime() + Math.floor(chance() * 86_400_000));
      records.push({
        accountId: caller.account.id,
        occurredAt,
        method: "GET",
        endpoint: "/api-routes-data",
        status,
        durationMs: Math.round(6 + 40 * chance() ** 3),
        responseBytes: status === 200 ? 24_000 + Math.round(4_000 * chance()) : 0,
        requestCost: 1,
        apiKeyId: key.id,
        apiKeyName: key.name,
        routeId,
        requestId: newRequestId(occurredAt),
      });
    }
  }
  records.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
  await Promise.all(records.map((record) => recordUsage(ctx, record)));
  // Like the nightly jobs: only totals are kept beyond the plan's retention.
  await sumUpAccounts(ctx, { since: addDays(today, -daysOfUse) });
  await deleteExpiredLogs(ctx);
};
