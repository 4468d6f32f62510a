/** Applies zod schemas to rows. */
import type { z } from "zod";
import { inputMessage } from "../input-messages.ts";
import type { FindingCode } from "./finding.ts";
import type { Note, RowValues } from "./kind.ts";

/**
 * Parses a row. Every broken rule is noted at its column; a refinement may name its code in `params.code`.
 *
 * @returns null if the row is invalid
 */
export const parsedRow = <Schema extends z.ZodType>(
  schema: Schema,
  values: RowValues,
  note: Note,
): z.output<Schema> | null => {
  const result = schema.safeParse(values, { error: inputMessage });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const column = issue.path.join(".");
    note.error(column, codeOf(issue, isEmpty(at(values, issue.path))), issue.message);
  }
  return null;
};

type Issue = z.core.$ZodIssue;

const codeOf = (issue: Issue, empty: boolean): FindingCode => {
  if (issue.code === "custom") return (issue.params?.code as FindingCode | undefined) ?? "malformed";
  if (empty) return "missing";
  if (issue.code === "too_small") return Number(issue.minimum) === 0 ? "negative" : "out_of_range";
  if (issue.code === "too_big") return issue.origin === "string" ? "too_long" : "out_of_range";
  return issue.code === "invalid_value" || issue.code === "invalid_union" ? "not_allowed" : "malformed";
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Null: there is nothing at that place. */
export const at = (values: RowValues, path: readonly PropertyKey[]): unknown => {
  let found: unknown = values;
  for (const part of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return null;
    found = (found as Record<PropertyKey, unknown>)[part];
  }
  return found;
};
