import { asRequest } from "../../platform/time-budget.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { forbidden, Refusal } from "../errors.ts";
import type { OpenedRoute } from "../subscriptions/opened-routes.server.ts";
import { takeLease } from "./lease.server.ts";
import {
  type ChangeFilter,
  type ChangePage,
  lastPosition,
  pageAfter,
  positionOf,
  readableRoutes,
} from "./list.server.ts";
import { heartbeatSeconds } from "./policy.ts";

/** So few that a slow reader holds little in memory. */
const pageRows = 100;

export type ChangeStream = {
  /**
   * Pages of changes as they happen, and an empty one at every heartbeat. The next page is read when it is asked for, so that a
   * slow reader is waited for. Ends without an error when the signal is aborted, or the caller may no longer read what it
   * could at the start. It can reconnect, or gets the reason as an error.
   */
  pages(signal: AbortSignal): AsyncGenerator<ChangePage, void>;
  /** Must be called, also if no page was read. */
  close(): Promise<void>;
};

/**
 * Follows the changes that `listChanges` answers.
 *
 * @param request.since as for `listChanges`; without it, from now on
 * @param identifyAgain the caller, authenticated again by the same credentials; asked before each page
 * @throws as `listChanges`
 * @throws forbidden without any subscription
 * @throws rate_limited if the account has too many connections
 */
export const followChanges = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "changeSignal">,
  caller: Caller,
  { since, ...filter }: ChangeFilter & { since?: string | undefined },
  identifyAgain: () => Promise<Caller | null>,
): Promise<ChangeStream> => {
  let opened = await readableRoutes(ctx, caller, filter);
  if (opened.length === 0) throw forbidden();
  let after = since === undefined ? await lastPosition(ctx) : await positionOf(ctx, since);
  const lease = await takeLease(ctx, caller.account);

  /** Null: the stream is over. */
  const nextPage = async (): Promise<ChangePage | null> => {
    const known = await identifyAgain();
    if (!known) return null;
    const readable = await readableRoutes(ctx, known, filter);
    if (hasLost(opened, readable)) return null;
    opened = readable;
    if (!(await lease.renew())) return null;
    return pageAfter(ctx, { opened, type: filter.type }, after, pageRows);
  };

  async function* pages(signal: AbortSignal): AsyncGenerator<ChangePage, void> {
    const alarm = alarmOf(ctx.changeSignal);
    try {
      while (!signal.aborted) {
        alarm.reset();
        const page = await asRequest(nextPage).catch(endIfRefused);
        if (!page || signal.aborted) return;
        after = page.after;
        yield page;
        if (!page.hasMore) await alarm.rings(heartbeatSeconds * 1000, signal);
      }
    } finally {
      alarm.close();
    }
  }
  return { pages, close: lease.release };
};

/** Whether a subscription to a route has ended. New ones join the stream. */
const hasLost = (before: readonly OpenedRoute[], now: readonly OpenedRoute[]): boolean => {
  const readable = new Set(now.map(({ routeId }) => routeId));
  return before.some(({ routeId }) => !readable.has(routeId));
};

/** The next connection is refused with the reason. */
const endIfRefused = (error: unknown): null => {
  if (error instanceof Refusal) return null;
  throw error;
};

/** Waits for the signal. One that comes before the waiting begins is not lost. */
const alarmOf = (changeSignal: Context["changeSignal"]) => {
  let isRung = false;
  let ring: (() => void) | null = null;
  const close = changeSignal(() => {
    isRung = true;
    ring?.();
  });
  return {
    close,
    reset: () => {
      isRung = false;
    },
    rings: (limitMs: number, signal: AbortSignal): Promise<void> => {
      if (isRung || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          ring = null;
          resolve();
        };
        const timer = setTimeout(done, limitMs);
        signal.addEventListener("abort", done);
        ring = done;
      });
    },
  };
};
