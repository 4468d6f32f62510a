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

  /** Adds what was found in some of the rows, or in a check of all. */
  merge({ first, count }: Findings): void {
    this.#count += count;
    if (first.length === 0) return;
    const all = [...this.#first, ...first];
    this.#first = all.toSorted((a, b) => a.row - b.row).slice(0, findingsKept);
  }

  get count(): number {
    return this.#count;
  }

  all(): Findings {
    return { first: this.#first, count: this.#count };
  }
}

export type FoundInFile = { errors: FindingList; warnings: FindingList };

export const noFindings = (): FoundInFile => ({ errors: new FindingList(), warnings: new FindingList() });

/** Notes what is found in one row. */
export const noteFor = (row: number, values: RowValues, lists: FoundInFile): Note => {
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
