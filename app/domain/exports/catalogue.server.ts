import { browse } from "../catalogue/browse.server.ts";
import type { RouteSummary } from "../catalogue/browse.ts";
import type { Context } from "../context.ts";

const routesPerBatch = 500;

/** The public details of every route, by name, in batches. */
export async function* wholeCatalogue(ctx: Pick<Context, "db" | "clock">): AsyncGenerator<RouteSummary[], void> {
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await browse(ctx, {}, { limit: routesPerBatch, cursor });
    yield rows;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
