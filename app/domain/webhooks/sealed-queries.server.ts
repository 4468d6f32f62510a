import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { webhookEndpoints } from "#drizzle/schema/index.ts";
import type { SealedColumn } from "../../platform/sealed-column.server.ts";
import { sealedAbout } from "./secret.server.ts";

const columnOf = (name: "sealedSecret" | "previousSealedSecret"): SealedColumn => {
  const column = webhookEndpoints[name];
  return {
    findOthers: async (db, mark, { after, limit }) => {
      const rows = await db
        .select({ id: webhookEndpoints.id, accountId: webhookEndpoints.accountId, sealed: column })
        .from(webhookEndpoints)
        .where(
          and(
            gt(webhookEndpoints.id, after),
            isNotNull(column),
            sql`substring(${column} from 1 for ${mark.length}::int) <> ${mark}`,
          ),
        )
        .orderBy(asc(webhookEndpoints.id))
        .limit(limit);
      return rows.flatMap(({ id, accountId, sealed }) =>
        sealed === null ? [] : { id, sealed, about: sealedAbout(accountId) },
      );
    },
    replace: async (db, { id, sealed: before }, sealed) => {
      const { count } = await db
        .update(webhookEndpoints)
        .set({ [name]: sealed })
        .where(and(eq(webhookEndpoints.id, id), eq(column, before)));
      return count > 0;
    },
  };
};

export const signingSecrets: SealedColumn = columnOf("sealedSecret");
export const previousSigningSecrets: SealedColumn = columnOf("previousSealedSecret");
