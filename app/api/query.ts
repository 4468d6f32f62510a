/** A request's query, as its endpoint reads it. */
import type { z } from "zod";
import { largestId, validate } from "../domain/input.ts";
import type { Contract } from "./endpoint.ts";
import { queryOf } from "./input.ts";
import { unknownIn } from "./unknown-parameters.ts";

export type Query = {
  /** The route that the request is about, for the usage log. */
  routeId: number | null;
  /** Parameters that the endpoint does not know. */
  unknown: readonly string[];
  /** @throws invalid */
  parsed: () => z.output<z.ZodType>;
};

/**
 * Reads a query once for a contract. Machines repeat their requests, and equal targets share one `search`
 * (`adapters.server.ts`), which nobody may change.
 */
export const readQuery = (contract: Contract, search: URLSearchParams): Query => {
  const ofContract = read.get(contract) ?? new WeakMap<URLSearchParams, Query>();
  const known = ofContract.get(search);
  if (known) return known;
  let parsed: { value: z.output<z.ZodType> } | null = null;
  const query: Query = {
    routeId: routeIdOf(contract, search),
    unknown: unknownIn(contract, search),
    parsed: () => {
      parsed ??= { value: frozen(validate(contract.query, queryOf(search))) };
      return parsed.value;
    },
  };
  read.set(contract, ofContract.set(search, query));
  return query;
};

const read = new WeakMap<Contract, WeakMap<URLSearchParams, Query>>();

/** Requests share it, so a verb that changed its input would change that of others. */
const frozen = <Value>(value: Value): Value => {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) Object.freeze(part);
  return Object.freeze(value);
};

/** The route that a request is about, for the usage log. */
export const routeIdOf = ({ routeIdParameter }: Contract, search: URLSearchParams): number | null => {
  if (routeIdParameter === undefined) return null;
  const id = Number(search.get(routeIdParameter));
  return Number.isInteger(id) && id > 0 && id <= largestId ? id : null;
};
