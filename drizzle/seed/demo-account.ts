/** Seeds the demo accounts through the ordinary verbs, at moments in the past. */
import { createHash, randomUUID } from "node:crypto";
import type { Caller, SessionProof } from "#app/domain/accounts/caller.ts";
import type { Registration } from "#app/domain/accounts/credentials.ts";
import { verifyEmail } from "#app/domain/accounts/email-verification.server.ts";
import { register } from "#app/domain/accounts/register.server.ts";
import { recognise } from "#app/domain/accounts/session.server.ts";
import { signIn } from "#app/domain/accounts/sign-in.server.ts";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";
import { writeSecret } from "#app/domain/api-keys/secret.ts";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import type { Context } from "#app/domain/context.ts";
import { addDays, dayOf, startOf } from "#app/domain/dates.ts";
import { Refusal } from "#app/domain/errors.ts";
import { listMailbox } from "#app/domain/notifications/outbox.server.ts";
import { grantOperator } from "#app/domain/operations/operators.server.ts";
import type { Term } from "#app/domain/pricing/discounts.ts";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import { recordUsage } from "#app/domain/usage/record.server.ts";
import { deleteExpiredLogs } from "#app/domain/usage/retention.server.ts";
import type { UsageRecord } from "#app/domain/usage/usage-record.ts";
import { type Base, buyNow, type World, worldAt } from "./simulated-past.ts";

export type SeededDemo = { demoApiKey: string; demoUsername: string; demoRouteId: number };

/** The demo operator. Its password is public, like that of the demo account. */
const demoOperator = { email: "operator@example.com", username: "operator", password: "demo-bridge-2026" };
export const demo = { email: "demo@example.com", username: "demo", password: "demo-harbour-2026" };
/** Public, like the passwords. The demo is seeded in test mode only. */
const keyBytes = createHash("sha256").update("the demo's API key").digest();
const origin = { ipAddress: null, userAgent: "curl/8.5.0" };
/** After the first purchases, as a customer would do it. */
const keyDaysAgo = 95;

type Purchase = { code: string; daysAgo: number; term: Term; autoRenew: boolean };

const purchases: Purchase[] = [
  { code: "C-CNSHA-NLRTM-PEL9", daysAgo: 100, term: "12_months", autoRenew: true },
  { code: "B-AUPHE-CNTAO-GRN9", daysAgo: 26, term: "1_month", autoRenew: true },
  { code: "R-JPNGO-BEZEE-AUT9", daysAgo: 40, term: "2_months", autoRenew: false },
  { code: "C-CNNGB-GBFXT-MRG9", daysAgo: 330, term: "3_months", autoRenew: false },
];

/** Idempotent. */
export const seedDemoAccount = async (base: Base): Promise<SeededDemo> => {
  const today = dayOf(base.clock.now());
  const [featured] = purchases;
  if (!featured) throw new Error("The demo buys nothing");
  const now = worldAt(base, today).ctx;
  const demoRouteId = await routeIdOf(now, featured.code);
  const seeded = { demoApiKey: writeSecret(keyBytes), demoUsername: demo.username, demoRouteId };

  if (!(await opened(worldAt(base, addDays(today, -340)).ctx, demo))) return seeded;
  const buyAll = async (wanted: Purchase[]) => {
    for (const purchase of wanted.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
      await buy(worldAt(base, addDays(today, -purchase.daysAgo)), purchase);
    }
  };
  await buyAll(purchases.filter(({ daysAgo }) => daysAgo > keyDaysAgo));
  const created = { ...worldAt(base, addDays(today, -keyDaysAgo)).ctx, random: { bytes: () => keyBytes } };
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
    await register(ctx, account, origin);
    const [mail] = await listMailbox(ctx, { secrets: true, limit: 1 });
    await verifyEmail(ctx, { token: /verify-email\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "" });
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
  const { rows } = await browse(ctx, { q: code }, { limit: 1 });
  if (!rows[0]) throw new Error(`The demo's route ${code} is not in the catalogue`);
  return rows[0].id;
};

const buy = async (world: World, { code, term, autoRenew }: Purchase): Promise<void> => {
  const { rows } = await browse(world.ctx, { q: code }, { limit: 1 });
  const periodId = rows[0]?.periods[0]?.id;
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
      records.push({
        accountId: caller.account.id,
        occurredAt: new Date(startOf(day).getTime() + Math.floor(chance() * 86_400_000)),
        method: "GET",
        endpoint: "/api-routes-data",
        status,
        durationMs: Math.round(6 + 40 * chance() ** 3),
        responseBytes: status === 200 ? 24_000 + Math.round(4_000 * chance()) : 0,
        apiKeyId: key.id,
        apiKeyName: key.name,
        routeId,
        requestId: randomUUID(),
      });
    }
  }
  records.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
  await Promise.all(records.map((record) => recordUsage(ctx, record)));
  // Like the nightly job: only totals are kept beyond the plan's retention.
  await deleteExpiredLogs(ctx);
};
