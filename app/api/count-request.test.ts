import { describe, expect, it } from "vitest";
import type { Caller } from "../domain/accounts/caller.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { chargeCaller, countRequest } from "./count-request.server.ts";

const now = new Date("2026-11-20T09:30:00Z");
const account = { id: 7, plan: "free", customHourlyLimit: null } as Caller["account"];
const byKey = (keyId: number, hourlyLimit: number | null): Caller => ({
  account,
  proof: { scheme: "key", keyId, keyName: "test", hourlyLimit, refusedAddress: null },
});
const byToken: Caller = { account, proof: { scheme: "bearer", sessionId: "s" } };

const world = () => {
  const rateLimiter = memoryRateLimiter();
  return {
    count: (caller: Caller) => countRequest({ rateLimiter }, caller, "203.0.113.7", now),
    charge: (caller: Caller, requests: number) => chargeCaller({ rateLimiter }, caller, now, requests),
  };
};

describe("A key's own limit", () => {
  it("rejects further requests with the key, which do not count toward the account's limit", async () => {
    const { count } = world();
    const limited = byKey(1, 2);
    for (const _ of [1, 2]) expect((await count(limited)).verdict.refusedBy).toBeNull();
    expect(await count(limited)).toMatchObject({ verdict: { refusedBy: "hour", limit: 2, remaining: 0 }, quota: null });
    expect((await count(byKey(2, null))).verdict).toMatchObject({ refusedBy: null, limit: 1_000, remaining: 997 });
    expect((await count(byToken)).verdict).toMatchObject({ limit: 1_000, remaining: 996 });
  });

  it("is what the headers say only while it is the tighter one", async () => {
    const { count } = world();
    expect((await count(byKey(1, 5))).verdict).toMatchObject({ limit: 5, remaining: 4 });
    expect((await count(byKey(2, 5_000))).verdict).toMatchObject({ limit: 1_000, remaining: 998 });
  });

  it("leaves quota alerts to the account's limit", async () => {
    const { count } = world();
    expect((await count(byKey(1, 1))).quota).toMatchObject({ limit: 1_000, remaining: 999 });
  });

  it("does not cover an answer that costs more, which is not counted then", async () => {
    const { count, charge } = world();
    const limited = byKey(1, 5);
    await count(limited);
    await expect(charge(limited, 5)).rejects.toMatchObject({ code: "rate_limited" });
    expect((await charge(limited, 4)).verdict).toMatchObject({ limit: 5, remaining: 0 });
    expect((await count(byToken)).verdict.remaining).toBe(994);
  });

  it("gets the requests back that the account's limit does not cover", async () => {
    const { charge } = world();
    const limited = byKey(1, 2_000);
    await expect(charge(limited, 1_500)).rejects.toMatchObject({ code: "rate_limited" });
    expect((await charge(limited, 1_000)).verdict).toMatchObject({ limit: 1_000, remaining: 0 });
  });
});
