/** Collects the findings of a file: the first ones by row, and how many there are. */
import type { Finding } from "./finding.ts";
import type { Findings, Note, RowValues } from "./kind.ts";
import { at } from "./parse-cells.ts";
import { findingsKept, valueKept } from "./policy.ts";

export class FindingList {
  #first: Finding[] = [];
  #count = 0;

  add(finding: Finding): void {
    this.#count++;
    // Rows are read in order.
    if (this.#first.length < findingsKept) {
      this.#first.push({ ...finding, value: finding.value.slice(0, valueKept).toWellFormed() });
    }
  }

  /** Adds what a check of all rows has found. */
  merge({ first, count }: Findings): void {
    this.#count += count;
    const all = [...this.#first, ...first];
    this.#first = all.toSorted((a, b) => a.row - b.row).slice(0, findingsKept);
  }

  get count(): number {
    return this.#count;
  }

  get first(): readonly Finding[] {
    return this.#first;
  }
}

/** Notes what is found in one row. */
export const noteFor = (
  row: number,
  values: RowValues,
  lists: { errors: FindingList; warnings: FindingList },
): Note => {
  const add =
    (list: FindingList): Note["error"] =>
    (column, code, message) =>
      list.add({ row, column, code, message, value: textOf(at(values, column.split("."))) });
  return { error: add(lists.errors), warning: add(lists.warnings) };
};

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
