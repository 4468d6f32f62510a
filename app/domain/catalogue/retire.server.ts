/**
 * Retiring takes a record out of browse and off sale. It stays readable for its subscribers and in the books. Whatever
 * belongs to a retired record is retired with it, and restored with it.
 */
import type { Tx } from "../../platform/db.server.ts";
import { conflict } from "../errors.ts";
import type { RecordKind } from "./record-kinds.ts";
import * as queries from "./retire-queries.server.ts";

export type { RetiredCounts } from "./retire-queries.server.ts";

type Target = { kind: RecordKind; id: number; retiredAt: Date | null };

/** @returns how many records below it were retired with it, by kind @throws conflict when it is retired already */
export const retire = (tx: Tx, { kind, id, retiredAt }: Target, now: Date): Promise<queries.RetiredCounts> => {
  if (retiredAt !== null) throw conflict("This is already retired");
  return queries.retire(tx, kind, id, now);
};

/**
 * @returns how many records below it were restored with it, by kind
 * @throws conflict when it is not retired, or belongs to a retired record
 */
export const restore = async (tx: Tx, { kind, id, retiredAt }: Target, now: Date): Promise<queries.RetiredCounts> => {
  if (retiredAt === null) throw conflict("This is not retired");
  if (await queries.hasRetiredParent(tx, kind, id)) {
    throw conflict("This belongs to a retired record. Restore that one first");
  }
  return queries.restore(tx, kind, { id, retiredAt }, now);
};
