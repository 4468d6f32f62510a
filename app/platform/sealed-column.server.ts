/** Seals a column's secrets again, by the current key, so that a replaced key can be thrown away. */
import type { Db, Tx } from "./db.server.ts";
import type { Sealer } from "./sealer.server.ts";

export type SealedRow = {
  id: number;
  sealed: Uint8Array;
  /** What the secret was sealed with, beside the key. */
  about: string;
};

export type SealedColumn = {
  /** Rows that do not begin with the mark, by id. */
  findOthers(db: Tx, mark: Uint8Array, page: { after: number; limit: number }): Promise<SealedRow[]>;
  /** @returns false if the row was changed or deleted meanwhile */
  replace(db: Tx, row: SealedRow, sealed: Uint8Array): Promise<boolean>;
};

export type SealedTally = {
  /** Sealed again by the current key, or still to be. */
  count: number;
  /** No given key opens them. */
  unreadable: number;
};

const batchSize = 200;

/**
 * Small batches, each row on its own, while the service runs. It may be stopped and started again: what is done is not
 * done again.
 *
 * @param options.onlyCount changes nothing
 */
export const reseal = async (
  { db, sealer }: { db: Db; sealer: Sealer },
  column: SealedColumn,
  { onlyCount }: { onlyCount: boolean },
): Promise<SealedTally> => {
  const tally = { count: 0, unreadable: 0 };
  for await (const row of othersIn(db, sealer, column)) {
    const secret = opened(sealer, row);
    if (secret === null) tally.unreadable += 1;
    else if (onlyCount || (await column.replace(db, row, sealer.seal(secret, row.about)))) tally.count += 1;
  }
  return tally;
};

async function* othersIn(db: Db, sealer: Sealer, column: SealedColumn): AsyncGenerator<SealedRow, void> {
  let after = 0;
  for (;;) {
    const rows = await column.findOthers(db, sealer.mark, { after, limit: batchSize });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
}

const opened = (sealer: Sealer, { sealed, about }: SealedRow): Uint8Array | null => {
  try {
    return sealer.open(sealed, about);
  } catch {
    return null;
  }
};
