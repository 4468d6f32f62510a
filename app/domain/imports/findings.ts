/** Collects the findings of a file: the first ones by row, and how many there are. */
import type { Finding, FindingCode } from "./finding.ts";
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

/** Notes what is found in one row. A class, because closures would be made a million times for a large file. */
export class RowNote implements Note {
  readonly #row: number;
  readonly #values: RowValues;
  readonly #lists: FoundInFile;

  constructor(row: number, values: RowValues, lists: FoundInFile) {
    this.#row = row;
    this.#values = values;
    this.#lists = lists;
  }

  error(column: string, code: FindingCode, message: string): void {
    this.#add(this.#lists.errors, column, code, message);
  }

  warning(column: string, code: FindingCode, message: string): void {
    this.#add(this.#lists.warnings, column, code, message);
  }

  #add(list: FindingList, column: string, code: FindingCode, message: string): void {
    list.add({ row: this.#row, column, code, message, value: textOf(at(this.#values, column.split("."))) });
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
