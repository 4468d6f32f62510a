/** A request's body, as far as one is willing to hold it in memory. */
type Chunks = AsyncIterable<Uint8Array> | Uint8Array[];

/** Null: it is longer than the limit, by its header or by what has come. */
export const readUpTo = async (
  limitBytes: number,
  announced: string | null,
  chunks: Chunks,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  if (Number(announced ?? 0) > limitBytes) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > limitBytes) return null;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
};

/** The same of a web request. */
export const bodyUpTo = (limitBytes: number, request: Request): Promise<Uint8Array<ArrayBuffer> | null> =>
  readUpTo(limitBytes, request.headers.get("Content-Length"), (request.body ?? []) as Chunks);
