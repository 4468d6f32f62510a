/** The columns of exported tables, in every format. Units are in the columns' names. */

export type CellKind = "text" | "integer" | "decimal" | "cents" | "instant" | "day";

/** Cents are an integer of minor units, days `YYYY-MM-DD`. */
export type CellValue = string | number | Date | null;

export type ExportColumn<Row> = {
  name: string;
  kind: CellKind;
  /** Never null. */
  required?: true;
  value: (row: Row) => CellValue;
  /** Of cents; US dollars by default. */
  currency?: (row: Row) => string | null;
};
