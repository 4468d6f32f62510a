import { desc, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { knownDevices, outboxMessages, signInPlaces } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Context } from "../context.ts";
import type { RateLimiter } from "../rate-limit/limiter.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import { resetPassword } from "../recovery/reset-password.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { deleteExpiredLinks } from "./link-retention.server.ts";
import type { Origin } from "./lucia.server.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { answerChallenge, beginSignIn, signIn } from "./sign-in.server.ts";
import { passwordsOf } from "./throttle.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment } from "./two-factor.server.ts";

const password = "correct horse battery";
const newPassword = "staple battery horse";
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Firefox/133.0";
const desk: Origin = { ipAddress: "198.51.100.7", userAgent: browser };
const cafe: Origin = { ipAddress: "192.0.77.5", userAgent: browser };
const program: Origin = { ipAddress: "198.51.100.8", userAgent: "rate-sync/1.0" };
/** Unknown origins, each in its own network. */
const stranger = (network = 0): Origin => ({ ipAddress: `203.0.${network}.9`, userAgent: "guesser" });

let world: World;
let account: Account;
let caller: Caller<SessionProof>;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.deviceClock.set("2026-11-20T09:30:10Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  ({ account, caller } = await world.account());
});

const attempt = (secret: string, origin: Origin, ctx: Context = world.ctx) =>
  signIn(ctx, { email: account.email, password: secret }, "bearer", origin);
const codeOf = (error: unknown) => (error as { code?: string }).code;
/** `in` on success, otherwise the code of the refusal. */
const outcome = (secret: string, origin: Origin, ctx?: Context) =>
  attempt(secret, origin, ctx).then(() => "in", codeOf);
const guess = async (times: number, origin: Origin) => {
  const outcomes: unknown[] = [];
  for (let i = 0; i < times; i++) outcomes.push(await outcome("a wild guess", origin));
  return outcomes;
};
/** Uses up the shared budget of strangers from five networks, without the cost of comparing passwords. */
const strangersUseAllUp = async () => {
  for (let i = 0; i < 100; i++) await passwordsOf(world.ctx, account.email, null, stranger(i % 5)).count();
};

const openPortal = async (origin: Origin, secret = password) => {
  const signedIn = await beginSignIn(world.ctx, { email: account.email, password: secret }, origin);
  if (!("session" in signedIn)) throw new Error("A second factor was asked for");
  return signedIn.session;
};
const knock = (origin: Origin, secret = password) => openPortal(origin, secret).then(() => "in", codeOf);

const reset = async (origin: Origin) => {
  await requestPasswordReset(world.ctx, { email: account.email }, origin);
  const [mail] = await world.ctx.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.accountId, account.id))
    .orderBy(desc(outboxMessages.id));
  const token = /token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  return resetPassword(world.ctx, { token, new_password: newPassword }, origin);
};

const turnOnTwoFactor = async () => {
  await beginTwoFactor(world.ctx, caller, { current_password: password }, desk);
  const secret = (await enrolment(world.ctx, caller))?.typed.replaceAll(" ", "") ?? "";
  const shown = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: world.deviceClock.now().getTime() });
  await confirmTwoFactor(world.ctx, caller, { code: shown() }, desk);
  world.deviceClock.set("2026-11-20T09:31:10Z");
  return shown;
};

/** A limiter that counts at once, but answers its first calls only after `release`. */
const slowLimiter = (heldCalls: number) => {
  const memory = memoryRateLimiter();
  let [calls, release, reportReached] = [0, () => {}, () => {}];
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reportReached = resolve;
  });
  const slowly =
    (call: RateLimiter["take"]): RateLimiter["peek"] =>
    async (...request) => {
      const verdict = await call(...request);
      calls += 1;
      if (calls === heldCalls) reportReached();
      if (calls <= heldCalls) await released;
      return verdict;
    };
  const limiter: RateLimiter = { ...memory, take: slowly(memory.take), peek: slowly(memory.peek) };
  return { limiter, reached, release };
};

describe("Attempts at the same time", () => {
  it("are counted before any password is compared, so that a burst cannot exceed the budget", async () => {
    const known = await openPortal(desk);
    const origin = { ...desk, deviceToken: known.deviceToken };
    const { limiter, reached, release } = slowLimiter(20);
    const ctx = { ...world.ctx, rateLimiter: limiter };
    const guesses = Array.from({ length: 20 }, () => outcome("a wild guess", origin, ctx));
    await reached;
    // Nothing has been compared yet.
    expect(await outcome(password, origin, ctx)).toBe("rate_limited");
    release();
    expect(await Promise.all(guesses)).toEqual(guesses.map(() => "unauthenticated"));
  });

  it("cannot exceed the budget, wherever the correct one is among a hundred", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, i) => outcome(i === 96 ? password : "a wild guess", stranger())),
    );
    expect(outcomes.filter((result) => result === "rate_limited").length).toBeGreaterThanOrEqual(80);
  });

  it("with the correct password are refunded", async () => {
    for (let i = 0; i < 30; i++) expect(await outcome(password, stranger())).toBe("in");
    await Promise.all(Array.from({ length: 20 }, () => attempt(password, desk)));
    expect(await outcome(password, desk)).toBe("in");
  });
});

describe("A throttled attempt", () => {
  it("gets the same response with a correct and with a wrong password", async () => {
    const origin = { headers: { "User-Agent": "guesser" } };
    const login = (secret: string) =>
      call(world, "POST", "/auth/login", { body: { email: account.email, password: secret }, ...origin });
    for (let i = 0; i < 20; i++) expect((await login("a wild guess")).status).toBe(401);
    const [wrong, right] = [await login("a wild guess"), await login(password)];
    expect([wrong.status, wrong.body.message]).toEqual([429, "Too many requests - Rate limit exceeded"]);
    expect([right.status, right.body.message]).toEqual([wrong.status, wrong.body.message]);
  });

  it("does not reveal that the password was correct when the budget for codes is used up", async () => {
    await turnOnTwoFactor();
    const byCode = (secret: string, network: number) =>
      signIn(
        world.ctx,
        { email: account.email, password: secret, one_time_code: "000000" },
        "bearer",
        stranger(network),
      ).catch(codeOf);
    for (let i = 0; i < 20; i++) expect(await byCode(password, i % 2)).toBe("unauthenticated");
    expect(await byCode(password, 3)).toBe("rate_limited");
    expect(await byCode("a wild guess", 4)).toBe("rate_limited");
  });

  it("without the password does not count against the budget for codes", async () => {
    const shown = await turnOnTwoFactor();
    for (let i = 0; i < 20; i++) {
      const input = { email: account.email, password: "a wild guess", one_time_code: "000000" };
      await expect(signIn(world.ctx, input, "bearer", stranger())).rejects.toMatchObject({ code: "unauthenticated" });
    }
    const input = { email: account.email, password, one_time_code: shown() };
    expect((await signIn(world.ctx, input, "bearer", cafe)).account.id).toBe(account.id);
  });

  it("without a code does not reveal by its budgets that the password was correct", async () => {
    await turnOnTwoFactor();
    for (let i = 0; i < 20; i++) expect(await outcome(password, stranger())).toBe("unauthenticated");
    expect(await outcome(password, stranger())).toBe("rate_limited");
  });
});

describe("Strangers", () => {
  it("have 20 attempts an hour per network, and further ones do not count against others", async () => {
    expect(await guess(25, stranger())).toEqual([
      ...Array(20).fill("unauthenticated"),
      ...Array(5).fill("rate_limited"),
    ]);
    for (let i = 0; i < 60; i++) await outcome("a wild guess", { ...stranger(), ipAddress: `203.0.0.${i}` });
    expect(await outcome(password, cafe)).toBe("in");
  });

  it("share 100 attempts an hour over all networks", async () => {
    await Promise.all([0, 1, 2, 3, 4].map((network) => guess(20, stranger(network))));
    expect(await outcome("a wild guess", stranger(6))).toBe("rate_limited");
    expect(await outcome(password, stranger(7))).toBe("rate_limited");
    world.clock.set("2026-11-20T10:00:00Z");
    expect(await outcome(password, stranger(7))).toBe("in");
  });

  it("cannot lock out a browser that has signed in before, even from another network", async () => {
    const { deviceToken } = await openPortal(desk);
    await strangersUseAllUp();
    expect(await knock(cafe)).toBe("rate_limited");
    expect(await knock({ ...cafe, deviceToken })).toBe("in");
  });

  it("cannot lock out an API client in a place where it has signed in before", async () => {
    await attempt(password, program);
    await strangersUseAllUp();
    expect(await outcome(password, { ...program, ipAddress: "198.51.100.200" })).toBe("in");
    expect(await outcome(password, { ...program, ipAddress: "192.0.77.5" })).toBe("rate_limited");
  });

  it("cannot lock out a holder who resets or changes the password", async () => {
    await strangersUseAllUp();
    const { deviceToken } = await reset(cafe);
    expect(await knock(cafe, newPassword)).toBe("rate_limited");
    expect(await knock({ ...cafe, deviceToken }, newPassword)).toBe("in");
    const signedIn = { ...cafe, deviceToken };
    const input = { current_password: newPassword, new_password: "a third phrase of words" };
    await changePassword(world.ctx, caller, input, signedIn);
  });

  it("who know the password cannot use up the code budget of a known browser", async () => {
    const { deviceToken } = await openPortal(desk);
    const shown = await turnOnTwoFactor();
    const answer = async (code: string, origin: Origin) => {
      const signedIn = await beginSignIn(world.ctx, { email: account.email, password }, origin);
      if (!("challenge" in signedIn)) throw new Error("No code was asked for");
      return answerChallenge(world.ctx, { token: signedIn.challenge.token, code }, origin).then(() => "in", codeOf);
    };
    for (let i = 0; i < 20; i++) expect(await answer("000000", stranger(i))).toBe("invalid");
    expect(await answer(shown(), cafe)).toBe("rate_limited");
    expect(await answer(shown(), { ...cafe, deviceToken })).toBe("in");
  });
});

describe("A known device", () => {
  it("has its own 20 attempts per hour, separate from other devices", async () => {
    const { deviceToken } = await openPortal(desk);
    const stolen = { ...stranger(), deviceToken };
    expect((await guess(21, stolen)).lastIndexOf("unauthenticated")).toBe(19);
    expect(await outcome(password, stolen)).toBe("rate_limited");
    expect(await outcome(password, desk)).toBe("in");
  });

  it("is known to one account only", async () => {
    const other = await world.account();
    const signedIn = await beginSignIn(world.ctx, { email: other.account.email, password }, cafe);
    if (!("session" in signedIn)) throw new Error("A second factor was asked for");
    const { deviceToken } = signedIn.session;
    await strangersUseAllUp();
    expect(await outcome(password, { ...cafe, deviceToken })).toBe("rate_limited");
    expect(await outcome(password, { ...cafe, deviceToken: "made up" })).toBe("rate_limited");
  });

  it("keeps its token for half a year from the last sign-in", async () => {
    const { deviceToken } = await openPortal(desk);
    world.clock.set("2027-05-01T09:30:00Z");
    const again = await openPortal({ ...desk, deviceToken });
    expect(again.deviceToken).toBe(deviceToken);
    world.clock.set("2027-10-28T09:30:01Z");
    const late = await openPortal({ ...desk, deviceToken });
    expect(late.deviceToken).not.toBe(deviceToken);
    await deleteExpiredLinks(world.ctx);
    expect(await world.ctx.db.$count(knownDevices, eq(knownDevices.accountId, account.id))).toBe(1);
  });

  it("is forgotten by a password reset, as are all places, since an intruder may have used them", async () => {
    const intruder = await openPortal({ ...stranger(), deviceToken: null });
    await reset(cafe);
    expect(await world.ctx.db.$count(knownDevices, eq(knownDevices.accountId, account.id))).toBe(1);
    const places = await world.ctx.db.select().from(signInPlaces).where(eq(signInPlaces.accountId, account.id));
    expect(places.map(({ isTrusted }) => isTrusted)).not.toContain(true);
    await guess(20, stranger());
    expect(await outcome("a wild guess", { ...stranger(), deviceToken: intruder.deviceToken })).toBe("rate_limited");
  });

  it("stays known if the password is changed on it, and others do not", async () => {
    const [mine, theirs] = [await openPortal(desk), await openPortal(stranger())];
    const input = { current_password: password, new_password: newPassword };
    await changePassword(world.ctx, caller, input, { ...desk, deviceToken: mine.deviceToken });
    await strangersUseAllUp();
    expect(await knock({ ...cafe, deviceToken: theirs.deviceToken }, newPassword)).toBe("rate_limited");
    expect(await knock({ ...cafe, deviceToken: mine.deviceToken }, newPassword)).toBe("in");
    expect(await knock(desk, newPassword)).toBe("in");
  });

  it("is stored only as a hash, and neither token nor IP address is a key of the limiter", async () => {
    const subjects: string[] = [];
    const noting = <Args extends [string, ...unknown[]], Result>(call: (...args: Args) => Result) => {
      return (...args: Args): Result => {
        subjects.push(args[0]);
        return call(...args);
      };
    };
    const { take, peek, giveBack } = memoryRateLimiter();
    world.ctx.rateLimiter = { take: noting(take), peek: noting(peek), giveBack: noting(giveBack) };
    const { deviceToken } = await openPortal(desk);
    await openPortal({ ...desk, deviceToken });
    await guess(1, stranger());
    await requestPasswordReset(world.ctx, { email: account.email }, desk);
    expect(subjects.length).toBeGreaterThan(5);
    const kept = JSON.stringify([subjects, await world.ctx.db.select().from(knownDevices)]);
    expect(kept).not.toContain(String(deviceToken));
    expect(kept).not.toContain(account.email);
  });
});
