/** Requests to a running service over HTTP, each from a client address of its own unless it is given. */
import { randomInt } from "node:crypto";

type Sent = {
  token?: string | undefined;
  key?: { secret: string; user: string } | undefined;
  cookie?: string;
  /** An object is sent as JSON, text as it is. */
  body?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  address?: string;
};

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every form
export type Reply = { status: number; headers: Headers; text: string; json: any };

/** So that tests do not use up each other's limits. The service trusts one proxy. */
export const anyAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Sends again what was only too fast: the limit of a second, which tests exceed by their speed alone. */
export const unhurried = async (send: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    const response = await send();
    const { status, headers } = response;
    const isBurst = headers.get("retry-after") === "1" && Number(headers.get("x-ratelimit-remaining")) > 0;
    if (status !== 429 || !isBurst) return response;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};

/** @param base without a trailing slash */
export const liveApi = (base: string) => {
  const send = async (method: string, path: string, sent: Sent = {}): Promise<Reply> => {
    const headers: Record<string, string> = { "X-Forwarded-For": sent.address ?? anyAddress() };
    if (sent.token !== undefined) headers.Authorization = `Bearer ${sent.token}`;
    if (sent.key) Object.assign(headers, { "X-API-Key": sent.key.secret, "X-Username": sent.key.user });
    if (sent.cookie !== undefined) headers.Cookie = sent.cookie;
    const init: RequestInit = { method, redirect: "manual", headers: { ...headers, ...sent.headers } };
    if (sent.form) init.body = new URLSearchParams(sent.form);
    else if (sent.body !== undefined) {
      init.body = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body);
      init.headers = { "Content-Type": "application/json", ...init.headers };
    }
    const response = await unhurried(() => fetch(base + path, init));
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") && text !== "";
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
  };

  /** A new account. */
  const register = async () => {
    const name = `owasp-${randomInt(2 ** 40).toString(36)}`;
    const account = { email: `${name}@example.com`, username: name, password: `pass phrase of ${name}` };
    const { status, json } = await send("POST", "/api/auth/register", { body: account });
    if (status !== 201) throw new Error(`Registering was answered ${status}`);
    return { ...account, token: json.access_token as string };
  };

  /** Signs in to the portal. @returns the cookie */
  const signIn = async ({ email, password }: { email: string; password: string }): Promise<string> => {
    const { headers } = await send("POST", "/sign-in", { form: { email, password }, headers: { Origin: base } });
    const cookie = headers.getSetCookie().find((one) => one.startsWith("srds_session="));
    if (cookie === undefined) throw new Error("Signing in set no cookie");
    return cookie.split(";")[0] ?? "";
  };

  return { send, register, signIn };
};

export type LiveApi = ReturnType<typeof liveApi>;
