import type { SealedTally } from "../../platform/sealed-column.server.ts";
import { resealSecondFactors } from "../accounts/reseal.server.ts";
import type { Context } from "../context.ts";
import { resealSigningSecrets } from "../webhooks/reseal.server.ts";

export type SecretsTally = SealedTally & { name: string };

/** Encrypts every secret in the database by the current key. @param options.onlyCount changes nothing */
export const rotateSecrets = async (
  ctx: Pick<Context, "db" | "sealer">,
  { onlyCount = false } = {},
): Promise<SecretsTally[]> => [
  { name: "two-factor secrets", ...(await resealSecondFactors(ctx, { onlyCount })) },
  { name: "webhook secrets", ...(await resealSigningSecrets(ctx, { onlyCount })) },
];
