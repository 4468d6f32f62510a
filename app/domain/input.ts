/** Validates input. The API and the portal share it. */
import { z } from "zod";
import { type FieldError, Refusal } from "./errors.ts";
import { inputMessage } from "./input-messages.ts";

/** The largest value of an id column. */
export const largestId = 2_147_483_647;

/** A day that somebody enters in a form. */
export const enteredDay = z.iso.date().regex(/^2/, "Must be between 2000 and 2999");

/** For the `regex` of a text on one line, such as a name. */
export const singleLine = [/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "Must not contain control characters"] as const;

/** The same for what people write about themselves: Persian and Indic scripts join and separate letters with U+200C and U+200D. */
export const ownLine = [
  /^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u200c\u200d])*$/u,
  "Must be one line without control characters",
] as const;

/** For messages of several lines: line feeds and tabs are their only control characters. */
export const severalLines = [/^(?:[^\p{Cc}]|[\n\t])*$/u, "Must not contain control characters"] as const;

const depthLimit = 20;

/**
 * Parses a value with its schema, after refusing text that PostgreSQL cannot store.
 *
 * @throws invalid with every broken rule
 */
export const validate = <Schema extends z.ZodType>(schema: Schema | undefined, value: unknown): z.output<Schema> => {
  if (!schema) return undefined as z.output<Schema>;
  const unstorable = unstorableIn(value);
  if (unstorable) throw invalidInput([unstorable]);
  const result = schema.safeParse(value, { error: inputMessage });
  if (result.success) return result.data;
  throw invalidInput(
    result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: "Unknown field" }))
        : [{ path: issue.path.join("."), message: issue.message }],
    ),
  );
};

const invalidInput = (fields: FieldError[]) =>
  new Refusal("invalid", "The request is not valid; see errors", { fields });

/** Finds text that PostgreSQL cannot store (NUL, lone surrogates) or nesting that is too deep. Null: there is none. */
export const unstorableIn = (value: unknown): FieldError | null => findUnstorable(value, "", 0);

const findUnstorable = (value: unknown, path: string, depth: number): FieldError | null => {
  if (depth > depthLimit) return { path: path.slice(0, 200), message: `Nested more than ${depthLimit} levels deep` };
  if (typeof value === "string") {
    if (value.includes("\0")) return { path, message: "Must not contain NUL characters" };
    return value.isWellFormed() ? null : { path, message: "Must be well-formed Unicode" };
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = findUnstorable(item, path === "" ? key : `${path}.${key}`, depth + 1);
    if (found) return found;
  }
  return null;
};
