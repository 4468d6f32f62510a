/** Server-sent events over node:http and as a web stream. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { withSecurityHeaders } from "../platform/response-headers.ts";

export type EventStream = {
  /** The text to send, in pieces. Each is made when the connection has taken the previous one. */
  texts(signal: AbortSignal): AsyncGenerator<string, void>;
  /** Called once, also if nothing was sent. */
  close(): Promise<void>;
};

/** A client that reads nothing for so long has gone without closing its connection. */
const stalledMs = 60_000;

type Sent = { status: number; headers: Record<string, string>; events: EventStream };

/** Sends until the stream is over, the client has gone or the service stops. Waits for slow clients. */
export const sendEvents = async (
  res: ServerResponse,
  { status, headers, events }: Sent,
  stopping: AbortSignal,
): Promise<void> => {
  const closed = new AbortController();
  res.once("close", () => closed.abort());
  const signal = AbortSignal.any([closed.signal, stopping]);
  try {
    res.writeHead(status, withSecurityHeaders(headers));
    res.flushHeaders();
    for await (const text of events.texts(signal)) {
      if (res.write(text) || (await isDrained(res, signal))) continue;
      res.destroy();
      break;
    }
    res.end();
  } finally {
    await events.close();
  }
};

/** @returns false if the client has stalled, or need not be waited for */
const isDrained = (res: ServerResponse, signal: AbortSignal): Promise<boolean> =>
  once(res, "drain", { signal: AbortSignal.any([signal, AbortSignal.timeout(stalledMs)]) }).then(
    () => true,
    () => false,
  );

/** The same for Remix, which asks for the next piece as soon as it has the last. */
export const eventBody = (stream: EventStream, signal: AbortSignal): ReadableStream<Uint8Array> => {
  const texts = stream.texts(signal);
  const encoder = new TextEncoder();
  const end = async () => {
    await texts.return();
    await stream.close();
  };
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { value, done } = await texts.next();
          if (!done) {
            controller.enqueue(encoder.encode(value));
            return;
          }
          await stream.close();
          controller.close();
        } catch (error) {
          await stream.close();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
};
