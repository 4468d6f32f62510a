/** Route data as it was known on an earlier day, which the address names: `?as_of=2026-11-13`. */
import type { Context } from "../domain/context.ts";
import { addDays, type Day, dayOf, startOf } from "../domain/dates.ts";
import { invalid, Refusal } from "../domain/errors.ts";
import type { KnownEntitlement } from "../domain/subscriptions/entitlement.server.ts";
import type { RouteData } from "../domain/subscriptions/route-access.server.ts";
import { openRoute } from "./open-route.server.ts";
import type { Visit } from "./session.server.ts";

/** The end of the day that the address names. Undefined: the present. @throws invalid if it is not a date */
export const knownAt = ({ clock }: Pick<Context, "clock">, search: URLSearchParams): Date | undefined => {
  const day = search.get("as_of");
  if (!day || day === dayOf(clock.now())) return undefined;
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw invalid("as_of", "Must be a date, such as 2026-11-20");
  }
  return new Date(startOf(addDays(day, 1)).getTime() - 1);
};

type KnownRoute = {
  data: RouteData;
  etag: string;
  /** Null: the present. */
  knownOn: Day | null;
  /** Why the present is shown instead. */
  problem: string | null;
};

/** The current data if there is none of that day. @throws as `openRouteData` for current data */
export const readKnownRoute = async (
  member: Pick<Visit, "ctx" | "caller">,
  known: KnownEntitlement,
  search: URLSearchParams,
): Promise<KnownRoute> => {
  const readAt = async (asOf?: Date): Promise<KnownRoute> => {
    const { read, etag } = await openRoute(member, known.routeId, { asOf, known });
    return { data: await read(), etag, knownOn: asOf ? dayOf(asOf) : null, problem: null };
  };
  try {
    return await readAt(knownAt(member.ctx, search));
  } catch (error) {
    if (!(error instanceof Refusal) || !search.has("as_of")) throw error;
    const problem =
      error.code === "not_found" ? "The route was not known on that day" : (error.fields[0]?.message ?? error.message);
    return { ...(await readAt()), problem };
  }
};
