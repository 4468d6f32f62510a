/** The bytes of a file that arrives. Its beginning can be read before the whole. */
export class FileContent {
  readonly #rest: AsyncIterator<Uint8Array>;
  readonly #beginning: Uint8Array[] = [];
  /** How long the beginning is. */
  bytesRead = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#rest = chunks[Symbol.asyncIterator]();
  }

  /** Reads one more chunk of the beginning. Null: the file has ended. */
  async readOn(): Promise<Uint8Array | null> {
    const next = await this.#rest.next();
    if (next.done) return null;
    // A copy, as the sender may reuse the chunk's memory.
    const chunk = next.value.slice();
    this.#beginning.push(chunk);
    this.bytesRead += chunk.length;
    return chunk;
  }

  /** More of the beginning, as far as it is consumed. */
  async *beginning(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.readOn(); chunk; chunk = await this.readOn()) yield chunk;
  }

  /** All of it, once. Leaving it early ends the upload. */
  async *whole(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunk = this.#beginning.shift(); chunk; chunk = this.#beginning.shift()) yield chunk;
      for (let next = await this.#rest.next(); !next.done; next = await this.#rest.next()) yield next.value;
    } finally {
      await this.#rest.return?.();
    }
  }
}
