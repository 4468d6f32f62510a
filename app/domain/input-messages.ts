/**
 * What people read about a value that breaks a rule, unless the rule's schema has its own message. Schemas have one
 * where they know more than the rule: "Enter your password" instead of "Must not be empty".
 */
import type { z } from "zod";
import { counted } from "./wording.ts";

type Issue = z.core.$ZodRawIssue;

export const inputMessage = (issue: Issue): string => {
  if (issue.input === undefined) return "Is required";
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected !== "array" && Array.isArray(issue.input)) return "Must be one value, not a list";
      return types[issue.expected] ?? invalid;
    case "invalid_value":
      return `Must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case "invalid_format":
      return formats[issue.format] ?? "Has the wrong format";
    case "not_multiple_of":
      return `Must be a multiple of ${issue.divisor}`;
    default:
      return invalid;
  }
};

const invalid = "Is not valid";

const types: Partial<Record<string, string>> = {
  string: "Must be text",
  number: "Must be a number",
  int: "Must be a whole number",
  boolean: "Must be true or false",
  array: "Must be a list",
  object: "Must be an object",
};

const formats: Partial<Record<string, string>> = {
  email: "Must be an e-mail address",
  date: "Must be a date, like 2026-11-20",
  datetime: "Must be a time in ISO 8601, like 2026-11-20T09:30:00Z",
  uuid: "Must be a UUID",
  url: "Must be a URL",
};

/** What the length of a value counts; nothing for numbers. */
const units: Partial<Record<string, string>> = { string: "character", array: "item" };

const tooSmall = (origin: string, least: number, inclusive: boolean): string => {
  const unit = units[origin];
  if (unit === undefined) return `Must be ${inclusive ? "at least" : "more than"} ${least}`;
  return least === 1 ? "Must not be empty" : `At least ${counted(least, unit)}`;
};

const tooBig = (origin: string, most: number, inclusive: boolean): string => {
  const unit = units[origin];
  if (unit === undefined) return `Must be ${inclusive ? "at most" : "less than"} ${most}`;
  return `At most ${counted(most, unit)}`;
};
