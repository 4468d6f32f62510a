import { describe, expect, it } from "vitest";
import { batch } from "./batch.server.ts";

/** A batcher whose batches end when the test says so. */
const controlled = (options?: { keyOf: (item: string) => string }) => {
  const batches: { items: string[]; end(): void }[] = [];
  const call = batch(
    (items: string[]) =>
      new Promise<string[]>((resolve) => {
        batches.push({ items, end: () => resolve(items.map((item) => `answer to ${item}`)) });
      }),
    options,
  );
  const begun = (index: number) => expect.poll(() => batches.length).toBeGreaterThan(index);
  const endOf = async (index: number) => {
    await begun(index);
    batches[index]?.end();
  };
  return { batches, call, begun, endOf };
};

describe("A batch", () => {
  it("has the calls that are made together", async () => {
    const { batches, call, endOf } = controlled();
    const calls = ["a", "b"].map(call);
    await endOf(0);
    await expect(Promise.all(calls)).resolves.toEqual(["answer to a", "answer to b"]);
    expect(batches.map(({ items }) => items)).toEqual([["a", "b"]]);
  });

  it("has the calls that arrived while the previous batch ran, and answers each", async () => {
    const { batches, call, begun, endOf } = controlled();
    const calls = [call("a")];
    await begun(0);
    calls.push(call("b"), call("b"));
    await endOf(0);
    await endOf(1);
    await expect(Promise.all(calls)).resolves.toEqual(["answer to a", "answer to b", "answer to b"]);
    expect(batches.map(({ items }) => items)).toEqual([["a"], ["b", "b"]]);
  });

  it("has one item for the calls with the same key, and answers each of them", async () => {
    const { batches, call, endOf } = controlled({ keyOf: (item) => item });
    const calls = ["b", "c", "b"].map(call);
    await endOf(0);
    await expect(Promise.all(calls)).resolves.toEqual(["answer to b", "answer to c", "answer to b"]);
    expect(batches.map(({ items }) => items)).toEqual([["b", "c"]]);
  });

  it("does not answer a call with a batch that began before it", async () => {
    const { batches, call, begun, endOf } = controlled({ keyOf: (item) => item });
    const calls = [call("a")];
    await begun(0);
    calls.push(call("a"));
    await endOf(0);
    await endOf(1);
    await Promise.all(calls);
    expect(batches.map(({ items }) => items)).toEqual([["a"], ["a"]]);
  });
});
