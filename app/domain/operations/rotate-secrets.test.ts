import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { twoFactors, webhookEndpoints } from "#drizzle/schema/index.ts";
import { sealerOf } from "../../platform/sealer.server.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { beginTwoFactor, enrolment } from "../accounts/two-factor.server.ts";
import { createEndpoint, rotateSecret } from "../webhooks/manage.server.ts";
import { sealedAbout } from "../webhooks/secret.server.ts";
import { rotateSecrets } from "./rotate-secrets.server.ts";

const [before, after] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it("Secrets open with the new key alone after a rotation, which can be stopped and repeated", async () => {
  const { ctx } = world;
  ctx.sealer = sealerOf(before);
  const { account, caller } = await world.account();
  const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
  await beginTwoFactor(ctx, caller, { current_password: "correct horse battery" }, origin);
  const typed = (await enrolment(ctx, caller))?.typed;
  const hook = { url: "http://127.0.0.1:9999/hook", description: "", event_types: ["api_key.revoked" as const] };
  const { id, secret } = await createEndpoint(ctx, caller, hook);
  await rotateSecret(ctx, caller, { id });
  // Sealed by a key that is lost.
  ctx.sealer = sealerOf(new Uint8Array(32).fill(3));
  const lost = await createEndpoint(ctx, caller, hook);

  const sealer = sealerOf(after, [before]);
  const rotating = { db: ctx.db, sealer };
  const tallies = (twoFactor: number, webhooks: number) => [
    { name: "two-factor secrets", count: twoFactor, unreadable: 0 },
    { name: "webhook secrets", count: webhooks, unreadable: 1 },
  ];
  expect(await rotateSecrets(rotating, { onlyCount: true })).toEqual(tallies(1, 2));
  expect(await rotateSecrets(rotating, { onlyCount: true })).toEqual(tallies(1, 2));
  expect(await rotateSecrets(rotating)).toEqual(tallies(1, 2));
  expect(await rotateSecrets(rotating)).toEqual(tallies(0, 0));

  ctx.sealer = sealerOf(after);
  expect((await enrolment(ctx, caller))?.typed).toBe(typed);
  const [endpoint] = await ctx.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  const previous = ctx.sealer.open(endpoint?.previousSealedSecret ?? new Uint8Array(), sealedAbout(account.id));
  expect(`whsec_${Buffer.from(previous).toString("base64")}`).toBe(secret);
  expect(await ctx.db.$count(twoFactors)).toBe(1);
  expect(lost.id).not.toBe(id);
});

it("More secrets than one batch are all encrypted again", async () => {
  const { ctx } = world;
  const { account } = await world.account();
  const sealed = sealerOf(before).seal(new Uint8Array(32), sealedAbout(account.id));
  const row = { accountId: account.id, url: "http://127.0.0.1:9/", eventTypes: ["api_key.revoked" as const] };
  await ctx.db
    .insert(webhookEndpoints)
    .values(Array.from({ length: 450 }, () => ({ ...row, sealedSecret: sealed, createdAt: ctx.clock.now() })));
  const [, webhooks] = await rotateSecrets({ db: ctx.db, sealer: sealerOf(after, [before]) });
  expect(webhooks?.count).toBe(450);
});
