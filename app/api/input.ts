/** From what arrived to what the contract asks for: every way in which input can be wrong, refused clearly. */
import type { z } from "zod";
import { type FieldError, Refusal } from "../domain/errors.ts";

export const bodyLimitBytes = 64 * 1024;
const depthLimit = 20;

/** @throws malformed, unsupported_media_type */
export const parseJson = (contentType: string | null, body: Uint8Array): unknown => {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? "")) {
    throw new Refusal("unsupported_media_type", "Send the body as JSON, with Content-Type: application/json");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal("malformed", "The body is not valid JSON in UTF-8");
  }
};

/**
 * @param where prefix of the paths in the errors, for example `query`
 * @throws invalid with every broken rule
 */
export const validate = <Schema extends z.ZodType>(schema: Schema | undefined, value: unknown): z.output<Schema> => {
  if (!schema) return undefined as z.output<Schema>;
  const unstorable = findUnstorable(value, "", 0);
  if (unstorable) throw invalidInput([unstorable]);
  const result = schema.safeParse(value);
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

/** Text that no database column holds (NUL, half a surrogate pair), and nesting that no field has. */
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

/** A query string as an object; a name given twice becomes a list, which single-valued fields refuse. */
export const queryOf = (search: URLSearchParams): Record<string, string | string[]> => {
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length === 1 && values[0] !== undefined ? values[0] : values;
  }
  return query;
};
