/** A route's data for its page, with the ETag of the version. */
import { createHash } from "node:crypto";
import type { KnownEntitlement } from "../domain/subscriptions/entitlement.server.ts";
import { openRouteData, type RouteData } from "../domain/subscriptions/route-access.server.ts";
import type { Visit } from "./session.server.ts";

/** Enough for every weekly and monthly point of thirteen months, with the rates of six equipment types. */
const reportsShown = 500;

export type OpenRoute = {
  /** Changes when the page would change. */
  etag: string;
  read: () => Promise<RouteData>;
};

/** @throws as `openRouteData` */
export const openRoute = async (
  { ctx, caller }: Pick<Visit, "ctx" | "caller">,
  id: number,
  { asOf, known }: { asOf?: Date | undefined; known?: KnownEntitlement } = {},
): Promise<OpenRoute> => {
  const { version, read } = await openRouteData(ctx, caller, { id, asOf, limit: reportsShown }, known);
  return { etag: `"${createHash("sha256").update(version).digest("base64url").slice(0, 27)}"`, read };
};
