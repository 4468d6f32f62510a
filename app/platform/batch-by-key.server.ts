import { batch } from "./batch.server.ts";
import { perDatabase, type Tx } from "./db.server.ts";
import { currentPace } from "./time-budget.server.ts";

/**
 * Makes requests that look up rows by key at the same time share a statement, see `batch`. Long work is not batched: it has
 * its own time budget.
 *
 * @param find the rows of these keys; calls with other `options` have their own statement
 * @returns does the same, in the same order
 */
export const batchByKey = <Row, Options extends unknown[]>(
  find: (db: Tx, keys: number[], ...options: Options) => Promise<Row[]>,
  keyOf: (row: Row) => number,
): typeof find => {
  type Call = { keys: number[]; options: Options };
  const batcherOf = perDatabase((db) =>
    batch(async (calls: Call[]): Promise<Row[][]> => {
      const rows = new Map<string, Promise<Row[]>>();
      for (const { options } of calls) {
        const kind = JSON.stringify(options);
        if (rows.has(kind)) continue;
        const alike = calls.filter((call) => JSON.stringify(call.options) === kind);
        const keys = new Set(alike.flatMap((call) => call.keys));
        rows.set(kind, find(db, [...keys], ...options));
      }
      return Promise.all(
        calls.map(async ({ keys, options }) => {
          const wanted = new Set(keys);
          return ((await rows.get(JSON.stringify(options))) ?? []).filter((row) => wanted.has(keyOf(row)));
        }),
      );
    }),
  );
  return async (db, keys, ...options) => {
    if (keys.length === 0) return [];
    return currentPace() === "request" ? batcherOf(db)({ keys, options }) : find(db, keys, ...options);
  };
};
