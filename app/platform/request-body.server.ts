/** A request's body, as far as one is willing to hold it in memory. */
import { ClientGone } from "./client-gone.ts";

type Chunks = AsyncIterable<Uint8Array> | Uint8Array[];

/**
 * @returns null when it is longer than the limit, by its header or by what has come
 * @throws ClientGone
 */
export const readUpTo = async (
  limitBytes: number,
  announced: string | null,
  chunks: Chunks,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  if (Number(announced ?? 0) > limitBytes) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.byteLength;
      if (length > limitBytes) return null;
      parts.push(chunk);
    }
  } catch (error) {
    throw new ClientGone("The client hung up while it sent the body", { cause: error });
  }
  return Buffer.concat(parts);
};

/** The same of a web request. */
export const bodyUpTo = (limitBytes: number, request: Request): Promise<Uint8Array<ArrayBuffer> | null> =>
  readUpTo(limitBytes, request.headers.get("Content-Length"), (request.body ?? []) as Chunks);
