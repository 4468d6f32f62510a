/** Bytes of a file → text, as they arrive. The messages tell the operator what to do. */
import { invalid, type Refusal } from "../errors.ts";
import type { Finding } from "./finding.ts";

/** The longest line, in bytes. Bounds the memory that a file needs. */
export const longestLine = 1024 * 1024;

/** Ends reading: everything before it is valid. */
export class UnreadableLine extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

export const refused = (message: string): Refusal => invalid("file", message);

/**
 * Yields the text in blocks of whole lines.
 *
 * @throws invalid `file` if its first bytes are not those of a text file
 * @throws UnreadableLine for a line that is not UTF-8, or too long
 */
export async function* textBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let row = 1;
  let isFirst = true;
  const decoded = (bytes: Uint8Array): string => {
    const text = textOf(bytes, row);
    row += newlinesIn(bytes);
    return text;
  };
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    if (isFirst) refuseBinary(chunk);
    isFirst = false;
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) {
      const block = waiting.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...waiting, chunk.subarray(0, end)]);
      yield decoded(block);
      waiting = [];
      waitingBytes = 0;
    }
    if (end === chunk.length) continue;
    // A copy, as the sender may reuse the chunk's memory.
    waiting.push(chunk.slice(end));
    waitingBytes += chunk.length - end;
    if (waitingBytes > longestLine) throw new UnreadableLine(tooLongLine(row));
  }
  if (waitingBytes > 0) yield decoded(Buffer.concat(waiting));
}

/** In UTF-8 this byte occurs only as a line end. */
const newline = 10;

const tooLongLine = (row: number): Finding => ({
  row,
  column: "",
  code: "too_long",
  value: "",
  message: `The line is longer than ${longestLine / 1024 / 1024} MB. We did not read the rest of the file`,
});

const refuseBinary = (bytes: Uint8Array): void => {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    throw refused("The file is UTF-16. Save it as UTF-8 (in Excel: CSV UTF-8), then choose it again");
  }
  if (startsWith(bytes, 0x50, 0x4b)) {
    throw refused("This is a workbook or an archive, not text. Save its sheet as CSV UTF-8, then choose that file");
  }
  if (bytes.includes(0)) throw refused("This is not a text file. Choose a CSV or JSON Lines file");
};

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, i) => bytes[i] === byte);

const decoder = new TextDecoder("utf-8", { fatal: true });

const textOf = (bytes: Uint8Array, firstRow: number): string => {
  try {
    if (!bytes.includes(0)) return decoder.decode(bytes);
  } catch {
    // The line is searched for below.
  }
  const row = firstRow + badLineIn(bytes);
  const message = `Line ${row} is not UTF-8. Save the file as UTF-8 (in Excel: CSV UTF-8), then choose it again`;
  throw new UnreadableLine({ row, column: "", code: "encoding", value: "", message });
};

/** How many lines come before the first unreadable one. */
const badLineIn = (bytes: Uint8Array): number => {
  let lines = 0;
  for (let from = 0; from < bytes.length; lines++) {
    const end = bytes.indexOf(newline, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    if (line.includes(0) || !isUtf8(line)) return lines;
    from += line.length + 1;
  }
  return lines;
};

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

const newlinesIn = (bytes: Uint8Array): number => {
  let count = 0;
  for (let i = bytes.indexOf(newline); i !== -1; i = bytes.indexOf(newline, i + 1)) count++;
  return count;
};
