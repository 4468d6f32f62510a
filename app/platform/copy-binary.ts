/**
 * The binary format of COPY: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS-BINARY. PostgreSQL
 * reads numbers and times faster from it than from text. Each value must be written as the type of its column.
 */

type Absent = null | undefined;

/** Writes rows, field by field, in the order of the columns. An absent value is NULL. */
export class BinaryRows {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  constructor(bytes = 1024 * 1024) {
    this.#bytes = new Uint8Array(bytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  beginRow(fields: number): void {
    this.#reserve(2);
    this.#view.setInt16(this.#length, fields);
    this.#length += 2;
  }

  /** @throws RangeError if it does not fit PostgreSQL's `integer` */
  integer(value: number | Absent): void {
    if (value == null) {
      this.#null();
      return;
    }
    if ((value | 0) !== value) throw new RangeError(`Not a 32-bit integer: ${value}`);
    this.#reserve(8);
    this.#view.setInt32(this.#length, 4);
    this.#view.setInt32(this.#length + 4, value);
    this.#length += 8;
  }

  doublePrecision(value: number | Absent): void {
    if (value == null) {
      this.#null();
      return;
    }
    this.#reserve(12);
    this.#view.setInt32(this.#length, 8);
    this.#view.setFloat64(this.#length + 4, value);
    this.#length += 12;
  }

  /** Exact to the millisecond. @param ms as `Date.getTime` returns it @throws RangeError if it is not finite */
  timestamptz(ms: number | Absent): void {
    if (ms == null) {
      this.#null();
      return;
    }
    if (!Number.isFinite(ms)) throw new RangeError(`Not a time: ${ms}`);
    const micros = Math.round((ms - startOf2000) * 1000);
    this.#reserve(12);
    this.#view.setInt32(this.#length, 8);
    this.#view.setInt32(this.#length + 4, Math.floor(micros / 2 ** 32));
    this.#view.setUint32(this.#length + 8, micros % 2 ** 32);
    this.#length += 12;
  }

  /** For `text`, and for enums, whose binary form is their label. */
  text(value: string | Absent): void {
    if (value == null) {
      this.#null();
      return;
    }
    this.#reserve(4 + mostBytesPerUnit * value.length);
    const length = this.#write(value, this.#length + 4);
    this.#view.setInt32(this.#length, length);
    this.#length += 4 + length;
  }

  /** @param value not yet as text */
  jsonb(value: unknown): void {
    if (value == null) {
      this.#null();
      return;
    }
    const json = JSON.stringify(value);
    this.#reserve(5 + mostBytesPerUnit * json.length);
    const length = this.#write(json, this.#length + 5);
    this.#view.setInt32(this.#length, 1 + length);
    this.#bytes[this.#length + 4] = jsonbVersion;
    this.#length += 5 + length;
  }

  /** The rows since the last call. */
  takeAll(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #null(): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, -1);
    this.#length += 4;
  }

  /** @returns how many bytes it takes */
  #write(text: string, at: number): number {
    const bytes = this.#bytes;
    // Most texts are short and ASCII, for which a call of the encoder takes longer.
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return encoder.encodeInto(text, bytes.subarray(at)).written;
      bytes[at + i] = unit;
    }
    return text.length;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + bytes));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

const encoder = new TextEncoder();
/** In UTF-8, of a UTF-16 unit. */
const mostBytesPerUnit = 3;
const startOf2000 = Date.UTC(2000, 0, 1);
const jsonbVersion = 1;

/** Signature, flags, and the length of the extension. */
const header = Uint8Array.from([...Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), 0, 0, 0, 0, 0, 0, 0, 0]);
const trailer = Uint8Array.from([0xff, 0xff]);

/** What COPY reads: the rows, in any number of parts, between a header and a trailer. */
export async function* binaryCopy(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield header;
  yield* rows;
  yield trailer;
}
