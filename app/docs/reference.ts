/** The data of the reference pages, computed on the server from the OpenAPI document. */
import type { SampleLanguage } from "../portal/components/code-block.tsx";

export type ReferenceGroup = {
  tag: string;
  /** The last part of its path. */
  slug: string;
  description: string;
  operations: OperationSummary[];
};

export type OperationSummary = { slug: string; method: string; path: string; summary: string };

export type Operation = OperationSummary & {
  tag: string;
  description: string | null;
  access: OperationAccess;
  /** The response is a stream of events. */
  isStream: boolean;
  parameters: Parameter[];
  /** `note` explains which fields are alternatives. */
  body: { fields: Field[]; note: string | null; example: string } | null;
  responses: OperationResponse[];
  samples: Sample[];
};

export type OperationAccess = "public" | "bearer" | "key" | "bearer_or_key";

export type Field = {
  name: string;
  /** "integer", "array of strings", "date or null". */
  type: string;
  required: boolean;
  description: string | null;
  /** "1 to 100", "default 50". */
  limits: string | null;
  /** The allowed values of an enum; otherwise empty. */
  values: string[];
  fields: Field[];
};

export type Parameter = Field & { in: "path" | "query" | "header"; example: string };

export type OperationResponse = {
  status: number;
  description: string;
  mediaType: string | null;
  /** Only of successes; all errors have the same shape. */
  fields: Field[];
  example: string | null;
};

export type Sample = { title: string; language: SampleLanguage; code: string };

/** `listRoutes` becomes `list-routes`. */
export const slugOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll(" ", "-")
    .toLowerCase();
