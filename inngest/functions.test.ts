import { InngestTestEngine } from "@inngest/test";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subscribe } from "../app/testing/purchases.ts";
import { createWorld, type World } from "../app/testing/world.ts";
import { outboxMessages, payments } from "../drizzle/schema/index.ts";
import { inngestClient } from "./client.ts";
import { inngestFunctions } from "./functions.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const functions = () =>
  inngestFunctions(
    inngestClient(
      { signingKey: "signkey-test-0123", eventKey: null, baseUrl: null, dev: true, fallbackMinutes: 15 },
      world.ctx.log,
    ),
    world.ctx,
    new AbortController().signal,
  );

const execute = async (id: string) => {
  const found = functions().find((each) => each.id() === id);
  if (!found) throw new Error(`There is no function ${id}`);
  return (await new InngestTestEngine({ function: found }).execute()).result;
};

describe("The functions of Inngest", () => {
  it("each have a UTC schedule and a verb", () => {
    const all = functions().map(({ opts }) => [opts.id, opts.triggers]);
    expect(all).toEqual([
      ["close-expired-orders", [{ cron: "TZ=UTC 0 * * * *" }]],
      ["expire-quotes", [{ cron: "TZ=UTC 1 * * * *" }]],
      ["turn-periods", [{ cron: "TZ=UTC 1 * * * *" }]],
      ["feed-demo", [{ cron: "TZ=UTC */10 * * * *" }]],
      ["announce-late-data", [{ cron: "TZ=UTC */10 * * * *" }]],
      ["move-to-next-period", [{ cron: "TZ=UTC 2 * * * *" }]],
      ["charge-renewals", [{ cron: "TZ=UTC 5 * * * *" }]],
      ["remind", [{ cron: "TZ=UTC 20 * * * *" }]],
      ["expire", [{ cron: "TZ=UTC 30 * * * *" }]],
      ["end-plans", [{ cron: "TZ=UTC 3 * * * *" }]],
      ["expire-keys", [{ cron: "TZ=UTC */10 * * * *" }]],
      ["remove-cards", [{ cron: "TZ=UTC 40 * * * *" }]],
      ["evaluate-alerts", [{ cron: "TZ=UTC */10 * * * *" }]],
      ["mail-alerts", [{ cron: "TZ=UTC */10 * * * *" }]],
      ["create-log-partitions", [{ cron: "TZ=UTC 12 0 * * *" }]],
      ["aggregate-usage", [{ cron: "TZ=UTC 7 0 * * *" }]],
      ["sum-up-accounts", [{ cron: "TZ=UTC 22 0 * * *" }]],
      ["recompute-popularity", [{ cron: "TZ=UTC 17 3 * * *" }]],
      ["compute-benchmarks", [{ cron: "TZ=UTC 22 3 * * *" }]],
      ["mail-statements", [{ cron: "TZ=UTC 27 3 1 * *" }]],
      ["discard-old-imports", [{ cron: "TZ=UTC 42 3 * * *" }]],
      ["drop-old-logs", [{ cron: "TZ=UTC 46 3 * * *" }]],
      ["delete-old-logs", [{ cron: "TZ=UTC 47 3 * * *" }]],
      ["delete-old-responses", [{ cron: "TZ=UTC 52 3 * * *" }]],
      ["delete-ended-sessions", [{ cron: "TZ=UTC 57 3 * * *" }]],
      ["delete-old-runs", [{ cron: "TZ=UTC 2 4 * * *" }]],
      ["delete-old-links", [{ cron: "TZ=UTC 7 4 * * *" }]],
      ["delete-old-changes", [{ cron: "TZ=UTC 12 4 * * *" }]],
      ["delete-old-history", [{ cron: "TZ=UTC 17 4 * * *" }]],
      ["delete-old-alerts", [{ cron: "TZ=UTC 22 4 * * *" }]],
      ["delete-old-webhooks", [{ cron: "TZ=UTC 27 4 * * *" }]],
      ["delete-old-request-counts", [{ cron: "TZ=UTC 32 4 * * *" }]],
      ["delete-old-incidents", [{ cron: "TZ=UTC 37 4 * * *" }]],
      ["dispatch-changes", [{ cron: "TZ=UTC * * * * *" }]],
      ["send-webhooks", [{ cron: "TZ=UTC * * * * *" }]],
      ["send-mail", [{ cron: "TZ=UTC * * * * *" }]],
    ]);
  });

  it("charge, remind, expire and send, and do nothing when repeated", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    await subscribe(world, (await world.account()).caller, { autoRenew: false });
    world.clock.set("2026-12-17T10:00:00Z");
    expect(await execute("charge-renewals")).toEqual({ succeeded: 1, declined: 0 });
    expect(await execute("charge-renewals")).toEqual({ succeeded: 0, declined: 0 });
    expect(await world.ctx.db.$count(payments, eq(payments.accountId, account.id))).toBe(2);
    expect(await execute("remind")).toEqual({ reminders: 1 });
    expect(await execute("remind")).toEqual({ reminders: 0 });
    world.clock.set("2026-12-20T00:00:00Z");
    expect(await execute("expire")).toEqual({ expired: 1 });
    expect(await execute("expire")).toEqual({ expired: 0 });
    const waiting = await world.ctx.db.$count(outboxMessages);
    expect(await execute("send-mail")).toEqual({ sent: waiting, failed: 0 });
    expect(await execute("close-expired-orders")).toEqual({ cancelled: 0, settled: 0, returned: 0 });
    expect(await execute("move-to-next-period")).toEqual({ moved: 0 });
    expect(await execute("recompute-popularity")).toEqual({ changed: expect.any(Number) });
    expect(await execute("discard-old-imports")).toEqual({ discarded: 0 });
    expect(await execute("delete-old-logs")).toEqual({ deleted: 0 });
    expect(await execute("delete-old-responses")).toEqual({ deleted: 0 });
    expect(await execute("delete-ended-sessions")).toEqual({});
  });
});
