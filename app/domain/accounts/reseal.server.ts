import { reseal, type SealedTally } from "../../platform/sealed-column.server.ts";
import type { Context } from "../context.ts";
import { secondFactorSecrets } from "./sealed-queries.server.ts";

/** Encrypts the secrets of authenticator apps by the current key. */
export const resealSecondFactors = (
  ctx: Pick<Context, "db" | "sealer">,
  options: { onlyCount: boolean },
): Promise<SealedTally> => reseal(ctx, secondFactorSecrets, options);
