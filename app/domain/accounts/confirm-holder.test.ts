import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { rotateKey } from "../api-keys/rotate.server.ts";
import { ProofRequired } from "../errors.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { renewProof } from "./confirm-holder.server.ts";
import { openSession, recognise } from "./session.server.ts";
import { listSessions } from "./sessions-list.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment } from "./two-factor.server.ts";

const password = "correct horse battery";
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
const key = { api_key_name: "Sync", user: "sync" };

let world: World;
let account: Account;
let bearer: Caller<SessionProof>;
let token: string;
beforeAll(async () => {
  world = await createWorld({ catalogue: "empty" });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:00:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  ({ account, caller: bearer } = await world.account());
  token = (await openSession(world.ctx, account, "portal", origin)).token;
});

const callerOf = async (of = token): Promise<Caller<SessionProof>> => {
  const found = await recognise(world.ctx, of, "portal");
  if (!found) throw new Error("Not signed in");
  return found;
};
const at = (time: string) => world.clock.set(time);

/** @returns the codes of the app, each of another step */
const turnOnTwoFactor = async () => {
  const caller = await callerOf();
  await beginTwoFactor(world.ctx, caller, { current_password: password }, origin);
  const secret = Secret.fromBase32((await enrolment(world.ctx, caller))?.typed.replaceAll(" ", "") ?? "");
  const code = (step: number) => {
    world.deviceClock.set(new Date(Date.parse("2026-11-20T09:30:00Z") + step * 60_000).toISOString());
    return new TOTP({ secret }).generate({ timestamp: world.deviceClock.now().getTime() });
  };
  const { recoveryCodes } = await confirmTwoFactor(world.ctx, caller, { code: code(0) }, origin);
  return { code, recoveryCodes };
};

describe("A portal session", () => {
  /** Uses the session every week. @returns the last day on which it worked */
  const lastDayOfUse = async (everyDays: number): Promise<string | null> => {
    const start = world.clock.now().getTime();
    let last: string | null = null;
    for (let day = everyDays; day <= 120; day += everyDays) {
      at(new Date(start + day * 86_400_000 - 1000).toISOString());
      if (!(await recognise(world.ctx, token, "portal"))) return last;
      last = `day ${day}`;
    }
    return last;
  };

  it("ends 90 days after the sign-in, even if it is used all the time", async () => {
    expect(await lastDayOfUse(5)).toBe("day 90");
  });

  it("ends after 30 days without use", async () => {
    at("2026-12-20T08:59:59Z");
    const unused = (await openSession(world.ctx, account, "portal", origin)).token;
    expect(await recognise(world.ctx, token, "portal")).not.toBeNull();
    at("2027-01-19T09:00:00Z");
    expect(await recognise(world.ctx, unused, "portal")).toBeNull();
  });

  it("of an operator ends 12 hours after the sign-in", async () => {
    await world.ctx.db.update(accounts).set({ role: "operator" }).where(eq(accounts.id, account.id));
    const opened = await openSession(world.ctx, account, "portal", origin);
    expect(opened.expiresAt).toEqual(new Date("2026-11-20T21:00:00Z"));
    at("2026-11-20T20:59:59Z");
    expect(await recognise(world.ctx, opened.token, "portal")).not.toBeNull();
    // Opened before the role was granted.
    const sessions = await listSessions(world.ctx, await callerOf(opened.token));
    const earlier = sessions.find(({ kind, isCurrent }) => kind === "portal" && !isCurrent);
    expect(earlier?.expiresAt).toEqual(new Date("2026-11-20T21:00:00Z"));
    at("2026-11-20T21:00:00Z");
    expect(await recognise(world.ctx, opened.token, "portal")).toBeNull();
    expect(await recognise(world.ctx, token, "portal")).toBeNull();
  });

  it("is ended when two-factor sign-in is turned on in another one", async () => {
    const other = (await openSession(world.ctx, account, "portal", origin)).token;
    await turnOnTwoFactor();
    expect(await recognise(world.ctx, other, "portal")).toBeNull();
    expect(await recognise(world.ctx, token, "portal")).not.toBeNull();
  });
});

describe("A new API key of an account with two-factor sign-in", () => {
  it("needs a sign-in or confirmation in the last 15 minutes", async () => {
    const { code } = await turnOnTwoFactor();
    at("2026-11-20T09:14:59Z");
    const { id } = await issueKey(world.ctx, await callerOf(), key);
    at("2026-11-20T09:15:00Z");
    await expect(issueKey(world.ctx, await callerOf(), key)).rejects.toThrow(ProofRequired);
    await expect(rotateKey(world.ctx, await callerOf(), { id, overlapHours: 1 })).rejects.toThrow(ProofRequired);

    const input = { current_password: password, code: code(1) };
    const renewed = await renewProof(world.ctx, await callerOf(), input, origin);
    await issueKey(world.ctx, await callerOf(renewed.token), key);
    await expect(issueKey(world.ctx, await callerOf(), key)).rejects.toThrow(ProofRequired);
  });

  it("needs none by bearer token, as programs cannot confirm anything", async () => {
    const { code } = await turnOnTwoFactor();
    expect(code(1)).toHaveLength(6);
    at("2026-11-20T20:00:00Z");
    expect(await issueKey(world.ctx, bearer, key)).toMatchObject({ name: "Sync" });
  });

  it("needs none without two-factor sign-in", async () => {
    at("2026-12-01T09:00:00Z");
    expect(await issueKey(world.ctx, await callerOf(), key)).toMatchObject({ name: "Sync" });
  });
});

describe("Confirming the identity", () => {
  it("requires the password, and a code where two-factor sign-in is on", async () => {
    const caller = await callerOf();
    const wrong = renewProof(world.ctx, caller, { current_password: "wrong horse battery" }, origin);
    await expect(wrong).rejects.toMatchObject({ code: "invalid", fields: [{ path: "current_password" }] });
    await renewProof(world.ctx, caller, { current_password: password }, origin);
    const { code } = await turnOnTwoFactor();
    for (const wrongCode of [undefined, "000000"]) {
      const input = { current_password: password, code: wrongCode };
      await expect(renewProof(world.ctx, caller, input, origin)).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path: "code" }],
      });
    }
    await renewProof(world.ctx, caller, { current_password: password, code: code(1) }, origin);
  });

  it("is throttled like a sign-in", async () => {
    const caller = await callerOf();
    const guess = () => renewProof(world.ctx, caller, { current_password: "a wild guess" }, origin);
    for (let i = 0; i < 20; i++) await expect(guess()).rejects.toMatchObject({ code: "invalid" });
    await expect(renewProof(world.ctx, caller, { current_password: password }, origin)).rejects.toMatchObject({
      code: "rate_limited",
    });
  });

  it("is required in the form that changes the password", async () => {
    const { code } = await turnOnTwoFactor();
    const input = { current_password: password, new_password: "staple battery horse" };
    await expect(changePassword(world.ctx, await callerOf(), input, origin)).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: "code" }],
    });
    await changePassword(world.ctx, await callerOf(), { ...input, code: code(1) }, origin);
  });
});
