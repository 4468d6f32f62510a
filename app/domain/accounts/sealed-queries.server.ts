import { and, asc, eq, gt, sql } from "drizzle-orm";
import { twoFactors } from "#drizzle/schema/index.ts";
import type { SealedColumn } from "../../platform/sealed-column.server.ts";
import { sealedAbout } from "./second-factor.server.ts";

const { accountId, sealedSecret } = twoFactors;

export const secondFactorSecrets: SealedColumn = {
  findOthers: async (db, mark, { after, limit }) => {
    const rows = await db
      .select({ id: accountId, sealed: sealedSecret })
      .from(twoFactors)
      .where(and(gt(accountId, after), sql`substring(${sealedSecret} from 1 for ${mark.length}::int) <> ${mark}`))
      .orderBy(asc(accountId))
      .limit(limit);
    return rows.map((row) => ({ ...row, about: sealedAbout(row.id) }));
  },
  replace: async (db, row, sealed) => {
    const { count } = await db
      .update(twoFactors)
      .set({ sealedSecret: sealed })
      .where(and(eq(accountId, row.id), eq(sealedSecret, row.sealed)));
    return count > 0;
  },
};
