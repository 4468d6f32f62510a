/** Requests to the endpoints of the API, made from its contracts and its OpenAPI document. */

import { contracts } from "../api/contracts/all.ts";
import type { Contract } from "../api/endpoint.ts";
import { exampleOf } from "../api/example.ts";
import { type OpenApiOperation, openApiDocument } from "../api/openapi.ts";
import { bodySchemaOf } from "./openapi-requests.ts";

const document = openApiDocument("http://localhost:3000");

export const operationOf = ({ path, method }: Contract): OpenApiOperation => {
  const operation = (document.paths?.[path] as Record<string, OpenApiOperation> | undefined)?.[method.toLowerCase()];
  if (!operation) throw new Error(`The OpenAPI document has no ${method} ${path}`);
  return operation;
};

/** A valid body, or undefined for an endpoint without one. */
export const bodyOf = (contract: Contract): Record<string, unknown> | undefined => {
  const schema = bodySchemaOf(operationOf(contract));
  return schema && ((contract.example?.body ?? exampleOf(schema, document)) as Record<string, unknown>);
};

/** The URL of an endpoint, with these values for the parameters of its path. */
export const urlOf = ({ path }: Contract, params: Record<string, string | number>): string =>
  `/api${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 1)))}`;

export const protectedContracts = contracts.filter(({ access }) => access !== "public");
export const named = (list: readonly Contract[]) => list.map((contract) => [contract.id, contract] as const);
