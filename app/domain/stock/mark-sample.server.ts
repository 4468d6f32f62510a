/** Which routes are samples, open to everybody: by operators and by `npm run catalogue`. */
import { recordCatalogueAudit } from "../accounts/audit.server.ts";
import type { CatalogueEditor } from "../accounts/caller.ts";
import { recordPrices } from "../catalogue/price-history.server.ts";
import { sampleOf, setSample } from "../catalogue/sample-routes.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict } from "../errors.ts";
import { findExisting, inCatalogue } from "./change-records.server.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Opens a route's data to everybody and takes it off sale. It replaces the sample of the same cargo type.
 *
 * @returns the code of the route that was the sample before, if any
 * @throws not_found
 * @throws conflict for a retired route, for the sample itself, and for a route with active subscriptions: nobody should
 *   pay for what everybody reads
 */
export const markSample = (
  ctx: World,
  by: CatalogueEditor,
  { code }: { code: string },
): Promise<{ replaces: string | null }> =>
  inCatalogue(ctx, async (tx) => {
    const { id, retiredAt } = await findExisting(tx, "route", code);
    const now = ctx.clock.now();
    if (retiredAt !== null) throw conflict(`The route ${code} is retired. Restore it first`);
    if (await queries.hasSubscribers(tx, id, dayOf(now))) {
      throw conflict(`The route ${code} has active subscriptions. Choose a route without`);
    }
    const before = await sampleOf(tx, { sameCargoAs: id });
    if (before?.id === id) throw conflict(`The route ${code} is already a sample`);
    if (before) await setSample(tx, before.id, false, now);
    await setSample(tx, id, true, now);
    await recordPrices(tx, now);
    const replaces = before?.code ?? null;
    await recordCatalogueAudit(tx, by, "route.sample_marked", now, {
      code,
      ...(replaces === null ? {} : { replaces }),
    });
    return { replaces };
  });

/**
 * Closes a sample. The route is on sale again.
 *
 * @throws not_found
 * @throws conflict for a route that is not a sample
 */
export const unmarkSample = (ctx: World, by: CatalogueEditor, { code }: { code: string }): Promise<void> =>
  inCatalogue(ctx, async (tx) => {
    const { id } = await findExisting(tx, "route", code);
    if ((await sampleOf(tx, { sameCargoAs: id }))?.id !== id) throw conflict(`The route ${code} is not a sample`);
    const now = ctx.clock.now();
    await setSample(tx, id, false, now);
    await recordPrices(tx, now);
    await recordCatalogueAudit(tx, by, "route.sample_unmarked", now, { code });
  });
