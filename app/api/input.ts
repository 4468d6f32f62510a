/** Parses bodies and queries before the contract validates them. */
import { Refusal } from "../domain/errors.ts";

export const bodyLimitBytes = 64 * 1024;
/** `The body is larger than 64 KiB`. */
export const bodyTooLarge = `The body is larger than ${bodyLimitBytes / 1024} KiB`;

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

/** A query string as an object. A repeated name becomes a list, which single-valued fields reject. */
export const queryOf = (search: URLSearchParams): Record<string, string | string[]> => {
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length === 1 && values[0] !== undefined ? values[0] : values;
  }
  return query;
};
