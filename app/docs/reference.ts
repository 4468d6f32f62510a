/** What the reference's pages show, computed from the API's description on the server. */
export type ReferenceGroup = {
  tag: string;
  /** For links. */
  slug: string;
  description: string;
  operations: OperationSummary[];
};

export type OperationSummary = { slug: string; method: string; path: string; summary: string };

export type Operation = OperationSummary & {
  tag: string;
  description: string | null;
  access: OperationAccess;
  parameters: Parameter[];
  /** `note`: which fields go together. */
  body: { fields: Field[]; note: string | null; example: string } | null;
  responses: OperationResponse[];
  samples: Sample[];
};

export type OperationAccess = "public" | "bearer" | "key";

export type Field = {
  name: string;
  /** In words: "integer", "array of strings", "date or null". */
  type: string;
  required: boolean;
  description: string | null;
  /** "1 to 100", "default 50". */
  limits: string | null;
  /** Where only some values are allowed. */
  values: string[];
  fields: Field[];
};

export type Parameter = Field & { in: "path" | "query" | "header"; example: string };

export type OperationResponse = {
  status: number;
  description: string;
  mediaType: string | null;
  /** Of a success; errors all look the same. */
  fields: Field[];
  example: string | null;
};

export type Sample = { title: string; code: string };

/** `listRoutes` is `list-routes`. */
export const slugOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll(" ", "-")
    .toLowerCase();
