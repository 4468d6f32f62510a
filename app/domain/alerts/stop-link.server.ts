/**
 * The links in mails that stop alerts by one click, signed out too. The token is sealed with the service's key, so it can
 * neither be made nor changed by others, and it only ever stops alerts.
 */
import { z } from "zod";
import type { Context } from "../context.ts";
import { findHolder } from "./alert-queries.server.ts";
import { saveMailCadence } from "./alerts.server.ts";
import type { Watch } from "./watch.ts";
import * as queries from "./watch-queries.server.ts";

/** What a link stops: a watch, or all mail with alerts. */
export type Stopped = { accountId: number; watchId: number | null };

const sealedFor = "link that stops alerts";

const content = z.tuple([z.int(), z.int().nullable()]);

export const stopUrl = (
  { sealer, settings }: Pick<Context, "sealer" | "settings">,
  { accountId, watchId }: Stopped,
): string => {
  const sealed = sealer.seal(Buffer.from(JSON.stringify([accountId, watchId])), sealedFor);
  return `${settings.appUrl}/alerts/stop/${Buffer.from(sealed).toString("base64url")}`;
};

const readToken = ({ sealer }: Pick<Context, "sealer">, token: string): Stopped | null => {
  try {
    const opened = sealer.open(Buffer.from(token, "base64url"), sealedFor);
    const [accountId, watchId] = content.parse(JSON.parse(Buffer.from(opened).toString("utf8")));
    return { accountId, watchId };
  } catch {
    return null;
  }
};

/** `watch` null: all mail. `isStopped`: nothing is left to stop. */
export type StopRequest = { scope: "watch" | "mail"; watch: Watch | null; isStopped: boolean };

/** What the link would stop. Changes nothing, as mail scanners open links. Null: the link is not one of ours. */
export const readStopLink = async (ctx: Pick<Context, "db" | "sealer">, token: string): Promise<StopRequest | null> => {
  const link = readToken(ctx, token);
  if (!link) return null;
  const { accountId, watchId } = link;
  if (watchId === null) {
    return { scope: "mail", watch: null, isStopped: (await queries.findCadence(ctx.db, accountId)) === "off" };
  }
  const watch = await queries.findWatch(ctx.db, accountId, watchId);
  return { scope: "watch", watch, isStopped: watch === null };
};

/** Stops the alerts that the link is for. Repeating it changes nothing. @returns false if the link is not one of ours */
export const stopByLink = async (ctx: Pick<Context, "db" | "sealer">, token: string): Promise<boolean> => {
  const link = readToken(ctx, token);
  if (!link) return false;
  const { accountId, watchId } = link;
  await ctx.db.transaction(async (tx) => {
    if (watchId !== null) await queries.deleteWatch(tx, accountId, watchId);
    else if (await findHolder(tx, accountId)) await saveMailCadence(tx, accountId, "off");
  });
  return true;
};
