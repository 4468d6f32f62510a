import { describe, expect, it } from "vitest";
import { fixedClock } from "../clock.ts";
import { Refusal } from "../errors.ts";
import type { PaymentGateway } from "./gateway.ts";
import { watchedGateway } from "./watched-gateway.ts";

describe("The payment provider", () => {
  it("counts as unreachable until it answers, or for 15 minutes", async () => {
    const clock = fixedClock("2026-11-20T09:30:00Z");
    let failure: Refusal | null = null;
    const listCards = async () => {
      if (failure) throw failure;
      return [];
    };
    const { payments, isReachable } = watchedGateway({ listCards } as Partial<PaymentGateway> as PaymentGateway, clock);
    expect(isReachable()).toBe(true);

    failure = new Refusal("unavailable", "The payment provider cannot be reached");
    await expect(payments.listCards("cus_1")).rejects.toBe(failure);
    expect(isReachable()).toBe(false);
    clock.set("2026-11-20T09:45:01Z");
    expect(isReachable()).toBe(true);

    await expect(payments.listCards("cus_1")).rejects.toBe(failure);
    failure = new Refusal("not_found", "An answer, too");
    await expect(payments.listCards("cus_1")).rejects.toBe(failure);
    expect(isReachable()).toBe(true);
  });
});
