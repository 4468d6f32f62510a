import { and, asc, eq, ne } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages, signInPlaces } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Account } from "./caller.ts";
import type { SessionKind } from "./lucia.server.ts";
import { register } from "./register.server.ts";
import { signIn } from "./sign-in.server.ts";

const password = "correct horse battery";
const home = { ipAddress: "192.0.2.1", userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Firefox/133.0" };
const office = { ...home, ipAddress: "198.51.100.7" };
const script = { ...home, userAgent: "curl/8.5.0 <b>" };

let world: World;
let account: Account;
let accounts = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  const username = `sailor-${++accounts}`;
  account = await register(world.ctx, { email: `${username}@example.com`, username, password }, home);
});

const signInFrom = (origin: typeof home, kind: SessionKind = "portal") =>
  signIn(world.ctx, { email: account.email, password }, kind, origin);
/** Mail to the account since its registration. */
const mail = () =>
  world.ctx.db
    .select()
    .from(outboxMessages)
    .where(and(eq(outboxMessages.accountId, account.id), ne(outboxMessages.subject, "Confirm your e-mail address")))
    .orderBy(asc(outboxMessages.id));

describe("A sign-in", () => {
  it("sends no mail the first time, from any place", async () => {
    await signInFrom(office);
    expect(await mail()).toEqual([]);
  });

  it("from a new network or user agent sends one mail, in the portal and by API", async () => {
    await signInFrom(home);
    await signInFrom(office);
    await signInFrom(office, "bearer");
    await signInFrom({ ...office, ipAddress: "198.51.100.200" });
    await signInFrom(script, "bearer");
    await signInFrom(script, "bearer");
    const written = await mail();
    expect(written.map(({ subject }) => subject)).toEqual([
      "New sign-in to your account",
      "New sign-in to your account",
    ]);
    expect(written[0]?.text).toContain("When: 20 Nov 2026, 09:30 UTC\nIP address: 198.51.100.7\nProgram: Mozilla/5.0");
    expect(written[0]?.text).toContain("Signed in to: the portal");
    expect(written[1]?.text).toContain("Signed in to: the API, with a bearer token");
    expect(written[1]?.html).toContain("curl/8.5.0 &lt;b&gt;");
  });

  it("from a known place sends no mail, even days later and after a browser update", async () => {
    await signInFrom(home);
    world.clock.set("2026-12-20T09:30:00Z");
    await signInFrom({ ...home, userAgent: home.userAgent.replaceAll("133.0", "134.0.2") });
    expect(await mail()).toEqual([]);
  });

  it("from the place of the registration sends no mail, even after sign-ins from elsewhere", async () => {
    await signInFrom(office, "bearer");
    await signInFrom(home);
    expect(await mail()).toEqual([]);
  });

  it("with a wrong password does not make the place known", async () => {
    await signInFrom(home);
    const wrong = { email: account.email, password: "wrong horse battery" };
    await expect(signIn(world.ctx, wrong, "portal", office)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await mail()).toEqual([]);
    await signInFrom(office);
    expect(await mail()).toHaveLength(1);
  });

  it("from a new place sends one mail when there are many at the same time", async () => {
    await signInFrom(home);
    const sessions = await Promise.all([1, 2, 3, 4, 5].map(() => signInFrom(office, "bearer")));
    expect(new Set(sessions.map(({ token }) => token)).size).toBe(5);
    expect(await mail()).toHaveLength(1);
  });

  it("stores no IP address with the place", async () => {
    await signInFrom(office);
    const places = await world.ctx.db.select().from(signInPlaces).where(eq(signInPlaces.accountId, account.id));
    expect(places.map(({ signIns }) => signIns).sort()).toEqual([0, 1]);
    expect(JSON.stringify(places)).not.toMatch(/198\.51|Mozilla/);
  });
});
