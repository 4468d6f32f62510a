import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";

/** The part of the driver that `COPY` needs. */
type Copier = { unsafe(statement: string): { writable(): Promise<Writable> } };

/**
 * Runs `COPY … FROM STDIN` with these chunks. PostgreSQL writes one while the next one is made.
 *
 * @throws what making a chunk throws
 */
export const copyInto = async (
  sql: Copier,
  statement: string,
  chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): Promise<void> => {
  const query = sql.unsafe(statement);
  const target = await query.writable();
  // The driver reports an error after the last byte to the statement only, whose promise is settled by then.
  const failed = new Promise<never>((_, reject) => {
    void Object.assign(query, { reject });
  });
  const done = Promise.race([finished(target), failed]);
  done.catch(() => {});
  try {
    for await (const chunk of chunks) {
      const written = new Promise<void>((resolve) => {
        target.write(chunk, () => resolve());
      });
      await Promise.race([done, written]);
    }
  } catch (error) {
    // Ends the COPY: the connection takes no ROLLBACK before.
    target.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
  target.end();
  await done;
};
