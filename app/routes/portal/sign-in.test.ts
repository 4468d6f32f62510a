/** Sessions and cookies of a browser that signs in, tested through the pages' actions. */
import { createCookie } from "@remix-run/node";
import { desc, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { outboxMessages } from "#drizzle/schema/index.ts";
import { getService, stop } from "../../context.server.ts";
import type { Account, Caller, SessionProof } from "../../domain/accounts/caller.ts";
import { register } from "../../domain/accounts/register.server.ts";
import { openSession, recognise } from "../../domain/accounts/session.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment } from "../../domain/accounts/two-factor.server.ts";
import type { Context } from "../../domain/context.ts";
import { cloneDatabase } from "../../testing/database.ts";
import { action as forgotPassword } from "./forgot-password.tsx";
import { action as registerAction } from "./register.tsx";
import { action as resetPassword } from "./reset-password.tsx";
import { action as signIn } from "./sign-in.tsx";
import { action as answerChallenge, loader as twoFactorPage } from "./sign-in-two-factor.tsx";

const password = "correct horse battery";
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };

let ctx: Context;
let close: () => Promise<void>;
let names = 0;
beforeAll(async () => {
  const database = await cloneDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  ({ ctx } = await getService());
  close = async () => {
    await stop();
    await database.drop();
  };
});
afterAll(() => close());

type Action = typeof signIn;

/** A minimal browser that keeps cookies. */
const browser = () => {
  const jar = new Map<string, string>();
  const headers = () => ({ Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") });
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    jar,
    /** Submits a form and expects a redirect. */
    send: async (action: Action, form: Record<string, string>) => {
      const request = new Request("http://localhost:3000/", {
        method: "POST",
        headers: headers(),
        body: new URLSearchParams(form),
      });
      const response = await action({ request, params: {}, context: {} }).catch((thrown: unknown) => thrown);
      if (!(response instanceof Response)) throw new Error(`The form came back: ${JSON.stringify(response)}`);
      return keep(response);
    },
    headers,
  };
};

const newAccount = async (): Promise<Account> => {
  const username = `visitor-${++names}`;
  return register(ctx, { email: `${username}@example.com`, username, password }, origin);
};
const callerOf = async (of: Account): Promise<Caller<SessionProof>> => {
  const { token } = await openSession(ctx, of, "portal", origin);
  const found = await recognise(ctx, token, "portal");
  if (!found) throw new Error("The session is not recognised");
  return found;
};

/** The value of a cookie. */
const tokenIn = async ({ jar }: ReturnType<typeof browser>, name: string): Promise<string> =>
  String(await createCookie(name).parse(`${name}=${jar.get(name)}`));
const accountIdOf = async (token: string) => (await recognise(ctx, token, "portal"))?.account.id ?? null;

const turnOnTwoFactor = async (account: Account) => {
  const caller = await callerOf(account);
  await beginTwoFactor(ctx, caller, { current_password: password }, origin);
  const secret = Secret.fromBase32((await enrolment(ctx, caller))?.typed.replaceAll(" ", "") ?? "");
  const code = new TOTP({ secret }).generate({ timestamp: ctx.deviceClock.now().getTime() });
  return (await confirmTwoFactor(ctx, caller, { code }, origin)).recoveryCodes[0] ?? "";
};

const signedInBrowser = async () => {
  const visitor = browser();
  const { id, email } = await newAccount();
  await visitor.send(signIn, { email, password });
  const token = await tokenIn(visitor, "srds_session");
  expect(await accountIdOf(token)).toBe(id);
  return { visitor, token };
};

describe("a signed-in browser that signs in again", () => {
  it("ends its old session when it signs in with a password", async () => {
    const { visitor, token } = await signedInBrowser();
    const next = await newAccount();
    const response = await visitor.send(signIn, { email: next.email, password });
    expect(await accountIdOf(await tokenIn(visitor, "srds_session"))).toBe(next.id);
    expect(await accountIdOf(token)).toBeNull();
    expect(response.headers.get("Clear-Site-Data")).toBe('"storage"');
    // The same person again: what the tab has stored stays.
    const again = await visitor.send(signIn, { email: next.email, password });
    expect(again.headers.get("Clear-Site-Data")).toBeNull();
  });

  it("is asked for the second factor, and ends its old session once the code is correct", async () => {
    const { visitor, token } = await signedInBrowser();
    const next = await newAccount();
    const recoveryCode = await turnOnTwoFactor(next);
    await visitor.send(signIn, { email: next.email, password });
    expect(await accountIdOf(token)).not.toBeNull();
    const request = new Request("http://localhost:3000/sign-in/two-factor", { headers: visitor.headers() });
    expect(await twoFactorPage({ request, params: {}, context: {} })).toMatchObject({ byRecoveryCode: false });
    await visitor.send(answerChallenge, { code: recoveryCode });
    expect(await accountIdOf(await tokenIn(visitor, "srds_session"))).toBe(next.id);
    expect(await accountIdOf(token)).toBeNull();
  });

  it("ends its old session when it registers", async () => {
    const { visitor, token } = await signedInBrowser();
    const username = `visitor-${++names}`;
    await visitor.send(registerAction, { email: `${username}@example.com`, username, password });
    expect(await accountIdOf(await tokenIn(visitor, "srds_session"))).not.toBeNull();
    expect(await accountIdOf(token)).toBeNull();
  });

  it("ends its old session when it resets the password of another account", async () => {
    const { visitor, token } = await signedInBrowser();
    const other = await newAccount();
    const request = new Request("http://localhost:3000/forgot-password", {
      method: "POST",
      body: new URLSearchParams({ email: other.email }),
    });
    await forgotPassword({ request, params: {}, context: {} });
    const [mail] = await ctx.db
      .select()
      .from(outboxMessages)
      .where(eq(outboxMessages.accountId, other.id))
      .orderBy(desc(outboxMessages.id));
    const link = /token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const response = await visitor.send(resetPassword, { token: link, new_password: "staple battery horse" });
    expect(response.headers.get("Location")).toBe("/sign-in?password=new");
    expect(response.headers.get("Clear-Site-Data")).toBe('"storage"');
    expect(visitor.jar.has("srds_session")).toBe(false);
    expect(await accountIdOf(token)).toBeNull();
    expect(await tokenIn(visitor, "srds_device")).toHaveLength(43);
  });
});

describe("the device cookie", () => {
  it("is HttpOnly and stays the same at the next sign-in", async () => {
    const visitor = browser();
    const { email } = await newAccount();
    const response = await visitor.send(signIn, { email, password });
    const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith("srds_device="));
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; SameSite=Lax/);
    expect(line).toMatch(/; Path=\//);
    const token = await tokenIn(visitor, "srds_device");
    await visitor.send(signIn, { email, password });
    expect(await tokenIn(visitor, "srds_device")).toBe(token);
  });
});
