import { reseal, type SealedTally } from "../../platform/sealed-column.server.ts";
import type { Context } from "../context.ts";
import { previousSigningSecrets, signingSecrets } from "./sealed-queries.server.ts";

/** Encrypts the signing secrets of webhooks by the current key, with those that a rotation has replaced. */
export const resealSigningSecrets = async (
  ctx: Pick<Context, "db" | "sealer">,
  options: { onlyCount: boolean },
): Promise<SealedTally> => {
  const tallies = [await reseal(ctx, signingSecrets, options), await reseal(ctx, previousSigningSecrets, options)];
  return {
    count: tallies.reduce((sum, { count }) => sum + count, 0),
    unreadable: tallies.reduce((sum, { unreadable }) => sum + unreadable, 0),
  };
};
