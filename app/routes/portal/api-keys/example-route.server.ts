import type { Caller } from "#app/domain/accounts/caller.ts";
import { firstSampleId } from "#app/domain/catalogue/sample-routes.server.ts";
import type { Context } from "#app/domain/context.ts";
import { listStatuses } from "#app/domain/subscriptions/list.server.ts";

/** The route of the example request: one that the account can read, so that its first request succeeds. */
export type ExampleRoute = { id: number; isSample: boolean };

/** A route that the account subscribes to, else a sample. Null: there is neither. */
export const exampleRoute = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
): Promise<ExampleRoute | null> => {
  const subscribed = (await listStatuses(ctx, caller)).find(({ status }) => status !== "expired");
  if (subscribed) return { id: subscribed.routeId, isSample: false };
  const sample = await firstSampleId(ctx);
  return sample === null ? null : { id: sample, isSample: true };
};
