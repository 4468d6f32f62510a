/** Responses that are written while they are read. */
import { asLongWork } from "./time-budget.server.ts";

/** The text or bytes of a response, made one part at a time. */
export type Parts = AsyncGenerator<string | Uint8Array, void>;

/** Runs each part as long work: together they may take longer than the database budget of a request. */
export async function* asLongParts(parts: Parts): Parts {
  try {
    for (;;) {
      const next = await asLongWork(() => parts.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await parts.return();
  }
}

/** What is known about the client of a response. */
export type Reader = {
  /** Aborted when the client closes the connection. */
  signal: AbortSignal;
  /**
   * Resolves when the client has read most of what was written. Remix writes a stream as fast as it can be read, so the
   * stream itself has to wait. Without this, as under `remix-serve`, a slow client's response is held in memory.
   */
  drained?: (() => Promise<void>) | undefined;
};

/** What our server passes to Remix's loaders (`server/pages.ts`). */
export const drainedOf = ({ drained }: { drained?: unknown }): Reader["drained"] =>
  typeof drained === "function" ? () => drained() : undefined;

/** A body for a web Response. It ends the parts when the client has left. */
export const byteStream = (parts: Parts, { signal, drained }: Reader): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      await drained?.();
      const next = signal.aborted ? await parts.return() : await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(typeof next.value === "string" ? encoder.encode(next.value) : next.value);
    },
    cancel: async () => {
      await parts.return();
    },
  });
};
