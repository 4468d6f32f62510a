/**
 * Query parameters that an endpoint does not know. Links pick up such parameters, so they are ignored. A misspelt filter is
 * one of them too, so the response names them. A client that wants certainty sends `Prefer: handling=strict` (RFC 7240).
 */
import { z } from "zod";
import { Refusal } from "../domain/errors.ts";
import type { Contract } from "./endpoint.ts";

/** How an endpoint handles the parameters of one request that it does not know. */
export type ParameterHandling = { strict: boolean; unknown: readonly string[] };

/** Names are the client's input: only so many are repeated, and only so many characters of each. */
export const mostNamed = 20;
export const longestName = 64;

export const unknownIn = (contract: Contract, search: URLSearchParams): readonly string[] => {
  const known = contract.query instanceof z.ZodObject ? contract.query.shape : {};
  const unknown = [...new Set(search.keys())].filter((name) => !Object.hasOwn(known, name));
  return unknown.slice(0, mostNamed).map(shortened);
};

export const handlingOf = (unknown: readonly string[], prefer: string | null): ParameterHandling => ({
  strict: prefersStrict(prefer),
  unknown,
});

/** By code points, so that no character is cut in two. */
const shortened = (name: string): string => [...name].slice(0, longestName).join("");

const prefersStrict = (prefer: string | null): boolean => {
  if (prefer === null) return false;
  const preferences = prefer.split(",").map((one) => one.split(";")[0]?.trim() ?? "");
  // Only the first of several counts (RFC 7240, section 2).
  const handling = preferences.find((one) => /^handling\s*=/i.test(one)) ?? "";
  return /^handling\s*=\s*(?:strict|"strict")$/i.test(handling);
};

/** @throws invalid with every unknown parameter, if the client wants that */
export const refuseUnknown = ({ strict, unknown }: ParameterHandling): void => {
  if (!strict || unknown.length === 0) return;
  const fields = unknown.map((path) => ({ path, message: "Unknown parameter" }));
  throw new Refusal("invalid", "The request is not valid; see errors", { fields });
};

export const handlingHeaders = ({ strict, unknown }: ParameterHandling): Record<string, string> => {
  if (strict) return { "Preference-Applied": "handling=strict" };
  return unknown.length === 0 ? {} : { "X-Ignored-Parameters": unknown.map(encodeURIComponent).join(", ") };
};
