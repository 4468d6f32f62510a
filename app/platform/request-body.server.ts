/** The only place that reads request bodies, never more of one than the caller's limit. */
import { ClientGone } from "./client-gone.ts";

/**
 * A client that sends before it reads must still get the response, so the rest of a body over its limit is read and
 * discarded, up to this much. Then the server closes the connection.
 */
export const droppedBytes = 256 * 1024 * 1024;

/**
 * @param announced the request's Content-Length
 * @returns null if the body is longer than the limit, by its header or by the bytes received
 * @throws ClientGone
 */
export const readUpTo = async (
  limitBytes: number,
  announced: string | null,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  // Not `for await`: leaving it early would destroy the stream, and with it the connection that the response needs.
  const source = chunks[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length <= limitBytes && Number(announced ?? 0) <= limitBytes) {
    const { done, value } = await source.next().catch(throwClientGone);
    if (done) return Buffer.concat(parts);
    length += value.byteLength;
    parts.push(value);
  }
  drop(source).catch(() => {}); // the client hung up
  return null;
};

const throwClientGone = (cause: unknown): never => {
  throw new ClientGone("The client hung up while it sent the body", { cause });
};

const drop = async (source: AsyncIterator<Uint8Array>): Promise<void> => {
  for (let left = droppedBytes; left > 0; ) {
    const { done, value } = await source.next();
    if (done) return;
    left -= value.byteLength;
  }
};

/** `readUpTo` for a web request. */
export const bodyUpTo = async (limitBytes: number, request: Request): Promise<Uint8Array<ArrayBuffer> | null> =>
  request.body
    ? readUpTo(limitBytes, request.headers.get("Content-Length"), request.body as unknown as AsyncIterable<Uint8Array>)
    : new Uint8Array();
