import { describe, expect, it } from "vitest";
import { batchByKey } from "./batch-by-key.server.ts";
import type { Db } from "./db.server.ts";
import { asLongWork, asRequest } from "./time-budget.server.ts";

const open = () => {
  const statements: { keys: number[]; day: string }[] = [];
  const find = batchByKey(
    async (_db, keys, day: string) => {
      statements.push({ keys, day });
      await new Promise((resolve) => setImmediate(resolve));
      return [...keys].reverse().map((key) => ({ key, day }));
    },
    ({ key }) => key,
  );
  const db = {} as Db;
  return { statements, lookUp: (keys: number[], day = "2026-11-20") => asRequest(() => find(db, keys, day)), find, db };
};

describe("A look-up by key", () => {
  it("shares a statement with those that arrive while an earlier one runs", async () => {
    const { statements, lookUp } = open();
    const first = lookUp([1]);
    await new Promise((resolve) => setImmediate(resolve));
    const [second, third] = await Promise.all([lookUp([2, 3]), lookUp([3, 4])]);
    expect(await first).toEqual([{ key: 1, day: "2026-11-20" }]);
    expect(statements.map(({ keys }) => keys)).toEqual([[1], [2, 3, 4]]);
    expect(second.map(({ key }) => key)).toEqual([3, 2]);
    expect(third.map(({ key }) => key)).toEqual([4, 3]);
  });

  it("does not share a statement with one for other options", async () => {
    const { statements, lookUp } = open();
    const found = await Promise.all([lookUp([1]), lookUp([2], "2026-11-20"), lookUp([2], "2026-11-21")]);
    expect(found.flat()).toEqual([
      { key: 1, day: "2026-11-20" },
      { key: 2, day: "2026-11-20" },
      { key: 2, day: "2026-11-21" },
    ]);
    expect(statements).toEqual([
      { keys: [1, 2], day: "2026-11-20" },
      { keys: [2], day: "2026-11-21" },
    ]);
  });

  it("runs no statement without keys", async () => {
    const { statements, lookUp } = open();
    expect(await lookUp([])).toEqual([]);
    expect(statements).toEqual([]);
  });

  it("has its own statement in long work", async () => {
    const { statements, find, db } = open();
    await asLongWork(() =>
      Promise.all([find(db, [1], "2026-11-20"), find(db, [2], "2026-11-20"), find(db, [3], "2026-11-20")]),
    );
    expect(statements.map(({ keys }) => keys)).toEqual([[1], [2], [3]]);
  });
});
