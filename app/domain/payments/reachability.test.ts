import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { Refusal } from "../errors.ts";
import type { PaymentGateway } from "./gateway.ts";
import { contactRecorder, paymentsReachable } from "./reachability.server.ts";
import { watchedGateway } from "./watched-gateway.ts";

describe("Whether the payment provider answers", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ now: "2026-11-20T09:30:00Z" });
  });
  afterAll(() => world.close());

  it("is known to other processes until the failing one is answered, or for 15 minutes", async () => {
    world.deviceClock.set("2026-11-20T09:30:00Z");
    const record = contactRecorder(world.ctx, world.ctx.log);
    expect(await paymentsReachable(world.ctx)).toBe(true);
    await record(false);
    expect(await paymentsReachable(world.ctx)).toBe(false);
    await Promise.all([record(false), record(true)]);
    expect(await paymentsReachable(world.ctx)).toBe(true);

    await record(false);
    world.deviceClock.set("2026-11-20T09:45:00Z");
    expect(await paymentsReachable(world.ctx)).toBe(false);
    world.deviceClock.set("2026-11-20T09:45:01Z");
    expect(await paymentsReachable(world.ctx)).toBe(true);
  });

  it("is told after each unanswered call and after the first answered one, not after every call", async () => {
    let failure: Refusal | null = null;
    const listCards = async () => {
      if (failure) throw failure;
      return [];
    };
    const gateway = { listCards } as Partial<PaymentGateway> as PaymentGateway;
    const told: boolean[] = [];
    const { payments } = watchedGateway(gateway, world.deviceClock, (answered) => told.push(answered));
    await payments.listCards("cus_1");
    expect(told).toEqual([]);
    failure = new Refusal("unavailable", "The payment provider cannot be reached");
    await expect(payments.listCards("cus_1")).rejects.toBe(failure);
    await expect(payments.listCards("cus_1")).rejects.toBe(failure);
    failure = null;
    await payments.listCards("cus_1");
    await payments.listCards("cus_1");
    expect(told).toEqual([false, false, true]);
  });
});
