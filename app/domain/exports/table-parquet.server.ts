/** Tables as Apache Parquet, compressed with Snappy. */
import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { CellKind, ExportColumn } from "./table.ts";

const types = {
  text: "STRING",
  integer: "INT64",
  decimal: "DOUBLE",
  cents: "INT64",
  instant: "TIMESTAMP",
  day: "STRING",
} as const satisfies Record<CellKind, BasicType>;

/** Small enough to be encoded without holding up other requests, large enough to compress well. */
const groupRows = 2_000;

/** One part for each row group, and a last one with the index of the file. Only one group is in memory. */
export async function* tableParquet<Row>(
  columns: readonly ExportColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<Uint8Array, void> {
  const bytes = new PartWriter();
  const schema = schemaFromColumnData({ columnData: columns.map((column) => encoded(column, [])) });
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: "shipping-route-data-service" });
  for await (const rows of inGroups(batches)) {
    await file.write({ columnData: columns.map((column) => encoded(column, rows)), rowGroupSize: groupRows });
    yield bytes.taken();
  }
  await file.finish();
  yield bytes.taken();
}

const encoded = <Row>({ name, kind, required, value }: ExportColumn<Row>, rows: Row[]) => ({
  name,
  type: types[kind],
  nullable: required !== true,
  // Finds pages within a column of a group, of which each has one.
  offsetIndex: false,
  data: rows.map((row) => {
    const cell = value(row);
    return types[kind] === "INT64" && typeof cell === "number" ? BigInt(cell) : cell;
  }),
});

async function* inGroups<Row>(batches: AsyncIterable<Row[]>): AsyncGenerator<Row[], void> {
  let group: Row[] = [];
  for await (const rows of batches) {
    group = [...group, ...rows];
    while (group.length >= groupRows) {
      yield group.slice(0, groupRows);
      group = group.slice(groupRows);
    }
  }
  if (group.length > 0) yield group;
}

/** Gives away what was written so far. `offset` still counts from the beginning of the file. */
class PartWriter extends ByteWriter {
  taken(): Uint8Array {
    const part = new Uint8Array(this.getBytes());
    this.index = 0;
    return part;
  }
}
