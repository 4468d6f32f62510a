import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { recoveryCodeBytes, recoveryCodeCount, writeRecoveryCode } from "./recovery-code.ts";
import { hashOf } from "./second-factor.server.ts";
import * as queries from "./two-factor-queries.server.ts";

/** Replaces all recovery codes, used or not. @returns the new ones, which are never shown again */
export const newRecoveryCodes = async (
  ctx: Pick<Context, "random"> & { db: Tx },
  accountId: number,
  now: Date,
): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodeCount }, () => writeRecoveryCode(ctx.random.bytes(recoveryCodeBytes)));
  await queries.replaceRecoveryCodes(ctx.db, accountId, codes.map(hashOf), now);
  return codes;
};
