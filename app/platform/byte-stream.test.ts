import { describe, expect, it } from "vitest";
import { byteStream, type Parts } from "./byte-stream.server.ts";

/** Counts the parts that were made, and notes when the maker was ended. */
const made = () => {
  const progress = { parts: 0, ended: false };
  const parts = async function* (): Parts {
    try {
      for (;;) {
        progress.parts += 1;
        yield "part\n";
      }
    } finally {
      progress.ended = true;
    }
  };
  return { progress, parts: parts() };
};

/** As Remix does: writes as fast as the stream can be read. */
const readAll = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
};

describe("A streamed body", () => {
  it("is not made faster than the client reads", async () => {
    const { progress, parts } = made();
    const client = new AbortController();
    const turns: (() => void)[] = [];
    const drained = () => new Promise<void>((resolve) => turns.push(resolve));
    const reading = readAll(byteStream(parts, { signal: client.signal, drained }));
    for (let turn = 0; turn < 3; turn += 1) {
      while (turns.length === 0) await Promise.resolve();
      expect(progress.parts).toBe(turn);
      turns.pop()?.();
    }
    while (turns.length === 0) await Promise.resolve();
    client.abort();
    turns.pop()?.();
    await reading;
    expect(progress).toEqual({ parts: 3, ended: true });
  });

  it("is ended when the client has left", async () => {
    const { progress, parts } = made();
    const client = new AbortController();
    const stream = byteStream(parts, { signal: client.signal });
    const reader = stream.getReader();
    await reader.read();
    client.abort();
    reader.releaseLock();
    await readAll(stream);
    expect(progress.ended).toBe(true);
  });
});
