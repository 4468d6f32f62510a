/**
 * Registers the jobs with Inngest at every start, so that it uses this build's schedules, and again when Inngest stops
 * calling, as it does after losing its store.
 */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../app/domain/context.ts";
import { noteRegistration, silentSince } from "../app/domain/jobs/standing.server.ts";
import { type InngestHandler, inngestPath } from "./handler.server.ts";

const longestBackoffMs = 5 * 60_000;
const silenceMs = 5 * 60_000;

/** Retries with backoff in the background until it succeeds, and then watches for missing calls. Never rejects. */
export const keepRegistered = async (
  ctx: Context,
  handle: InngestHandler,
  { signingKey, signal }: { signingKey: string; signal: AbortSignal },
): Promise<void> => {
  let failures = 0;
  while (!signal.aborted) {
    const error = await register(ctx, handle, signingKey);
    await noteRegistration(ctx, error).catch(() => {});
    if (error === null) {
      if (failures > 0) ctx.log.info("Registered at Inngest", { after_failures: failures });
      failures = 0;
      await untilSilent(ctx, signal);
    } else {
      if (failures === 0) ctx.log.warn("The registration at Inngest failed; it is tried again", { reason: error });
      failures += 1;
      await pause(Math.min(1_000 * 2 ** (failures - 1), longestBackoffMs), signal);
    }
  }
};

/**
 * Calls our own handler as Inngest does when the app is synced by hand. The handler then sends the list of functions to
 * Inngest's API.
 *
 * @returns null, or why it failed
 */
const register = async (ctx: Context, handle: InngestHandler, signingKey: string): Promise<string | null> => {
  const url = new URL(inngestPath, ctx.settings.appUrl);
  const request = new Request(url, {
    method: "PUT",
    headers: { Host: url.host, "x-inngest-signature": signatureOf("", signingKey, ctx.deviceClock.now()) },
  });
  try {
    const response = await handle({ request });
    if (response.ok) return null;
    const { message = "no reason given" } = (await response.json()) as { message?: string };
    return `${response.status}: ${message}`.slice(0, 200);
  } catch (error) {
    return String(error).slice(0, 200);
  }
};

/** Inngest signs with the key alone, without the prefix that names the environment. */
const signatureOf = (body: string, signingKey: string, now: Date): string => {
  const at = Math.floor(now.getTime() / 1000);
  const key = signingKey.replace(/^signkey-\w+-/, "");
  return `t=${at}&s=${createHmac("sha256", key).update(`${body}${at}`).digest("hex")}`;
};

const untilSilent = async (ctx: Context, signal: AbortSignal): Promise<void> => {
  const registeredAt = ctx.deviceClock.now();
  for (;;) {
    await pause(60_000, signal);
    if (signal.aborted) return;
    const since = await silentSince(ctx, registeredAt).catch(() => registeredAt);
    if (ctx.deviceClock.now().getTime() - since.getTime() >= silenceMs) return;
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {});
