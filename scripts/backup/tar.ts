/** The parts of the tar format (POSIX ustar) that a backup needs: regular files with short names, one after the other. */

export type Entry = { name: string; content: Buffer };

const blockSize = 512;
/** Where a header's fields are. */
const at = { name: 0, mode: 100, owner: 108, group: 116, size: 124, time: 136, checksum: 148, type: 156, magic: 257 };

export const tarEntry = ({ name, content }: Entry, modifiedAt: Date): Buffer => {
  if (Buffer.byteLength(name) > 99) throw new Error(`${name} is too long for a tar header`);
  const header = Buffer.alloc(blockSize);
  header.write(name, at.name);
  header.write(octal(0o600, 7), at.mode);
  header.write(octal(0, 7), at.owner);
  header.write(octal(0, 7), at.group);
  header.write(octal(content.length, 11), at.size);
  header.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), at.time);
  header.write("0", at.type);
  header.write("ustar\x0000", at.magic, "latin1");
  header.write(`${octal(checksumOf(header), 6)}\0 `, at.checksum, "latin1");
  return Buffer.concat([header, content, Buffer.alloc(padding(content.length))]);
};

export const tarEnd = (): Buffer => Buffer.alloc(2 * blockSize);

/** @throws Error if it is not a tar file, or ends early */
export const readTar = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Entry, void> {
  const take = reader(source);
  for (;;) {
    const header = await take(blockSize);
    if (header === null) throw new Error("the file ends early");
    if (header.every((byte) => byte === 0)) return;
    if (header.toString("latin1", at.magic, at.magic + 5) !== "ustar") throw new Error("it is not a tar file");
    if (Number.parseInt(header.toString("latin1", at.checksum, at.checksum + 6), 8) !== checksumOf(header)) {
      throw new Error("a header is damaged");
    }
    const size = Number.parseInt(header.toString("latin1", at.size, at.size + 11), 8);
    if (!Number.isSafeInteger(size) || size > largestEntry) throw new Error("a header is damaged");
    const name = header.toString("utf8", at.name, header.indexOf(0, at.name));
    const content = await take(size + padding(size));
    if (content === null) throw new Error("the file ends early");
    yield { name, content: content.subarray(0, size) };
  }
};

/** Backups have entries of about a megabyte; one row can be larger. */
const largestEntry = 1 << 30;

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, "0");
const padding = (size: number): number => (blockSize - (size % blockSize)) % blockSize;

/** The sum of the header's bytes, with spaces for the checksum itself. */
const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= at.checksum && index < at.checksum + 8 ? 32 : byte), 0);

/** Takes exactly so many bytes from a stream; null at its end. */
const reader = (source: AsyncIterable<Uint8Array>): ((bytes: number) => Promise<Buffer | null>) => {
  const iterator = source[Symbol.asyncIterator]();
  let parts: Uint8Array[] = [];
  let held = 0;
  return async (bytes) => {
    while (held < bytes) {
      const next = await iterator.next();
      if (next.done) return null;
      parts.push(next.value);
      held += next.value.length;
    }
    const all =
      parts.length === 1 && parts[0] ? Buffer.from(parts[0].buffer, parts[0].byteOffset, held) : Buffer.concat(parts);
    parts = [all.subarray(bytes)];
    held -= bytes;
    return all.subarray(0, bytes);
  };
};
