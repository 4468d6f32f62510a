/** Generates valid and invalid requests from the OpenAPI document. */
import fc, { type Arbitrary } from "fast-check";
import { resolve } from "../api/example.ts";
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiSchema,
} from "../api/openapi.ts";

/** Existing values, by field name. */
export type Known = Record<string, readonly unknown[]>;

export type MadeUp = {
  /** Below `/api`, with the query. */
  path: string;
  headers: Record<string, string>;
  /** Undefined: no body. A string is sent unchanged. */
  body: unknown;
  credentials: "right" | "none" | "wrong";
};

type Maker = { document: OpenApiDocument; known: Known };
type Schema = OpenApiSchema | OpenApiReference;

/** Requests that satisfy the document, with valid credentials. */
export const validRequest = (maker: Maker, template: string, operation: OpenApiOperation): Arbitrary<MadeUp> => {
  const parameters = (operation.parameters ?? []) as OpenApiParameter[];
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const bodySchema = bodySchemaOf(operation);
  return fc
    .record({
      params: valuesOf(maker, inPlace("path")),
      query: valuesOf(maker, inPlace("query")),
      body: bodySchema ? valid(maker, bodySchema) : fc.constant(undefined),
    })
    .map(({ params, query, body }) => ({
      path: pathWith(template, mapValues(params, encodeURIComponent)) + queryText(Object.entries(query)),
      headers: {},
      body,
      credentials: "right" as const,
    }));
};

/** Requests with unexpected values. Some may be valid by chance. */
export const oddRequest = (maker: Maker, template: string, operation: OpenApiOperation): Arbitrary<MadeUp> => {
  const parameters = (operation.parameters ?? []) as OpenApiParameter[];
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const bodySchema = bodySchemaOf(operation);
  return fc.record({
    path: fc
      .record({
        params: fc.record(Object.fromEntries(inPlace("path").map(({ name }) => [name, oddSegment(maker, name)]))),
        query: oddQuery(maker, inPlace("query")),
      })
      .map(({ params, query }) => pathWith(template, params) + queryText(query)),
    headers: fc.record(Object.fromEntries(inPlace("header").map(({ name }) => [name, headerText])), {
      requiredKeys: [],
    }) as Arbitrary<Record<string, string>>,
    body: fc.oneof(
      { weight: 3, arbitrary: bodySchema ? mutated(maker, bodySchema) : fc.constant(undefined) },
      { weight: 1, arbitrary: oddValue },
      { weight: 1, arbitrary: rawBody },
    ),
    credentials: fc.oneof(
      { weight: 8, arbitrary: fc.constant("right" as const) },
      { weight: 1, arbitrary: fc.constantFrom("none" as const, "wrong" as const) },
    ),
  });
};

export const bodySchemaOf = (operation: OpenApiOperation): Schema | undefined => {
  const body = operation.requestBody;
  return body && "content" in body ? body.content["application/json"]?.schema : undefined;
};

const pathWith = (template: string, params: Record<string, string>) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");

const mapValues = (values: Record<string, unknown>, map: (text: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(String(value))]));

const queryText = (entries: [string, unknown][]) =>
  entries.length === 0
    ? ""
    : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value).toWellFormed()]))}`;

/** Required parameters always, the others sometimes. */
const valuesOf = (maker: Maker, parameters: OpenApiParameter[]): Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, valid(maker, schema ?? {}, name)])), {
    requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
  });

const oddSegment = (maker: Maker, name: string): Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...(maker.known[name] ?? [1])).map(String),
    oddText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom("%00", "%zz", "%ED%A0%80", "%C0%AF", "..", "%2e%2e%2f", "1%2F2", "1;x", "0x1", "1e3", " "),
  );

const oddQuery = (maker: Maker, parameters: OpenApiParameter[]): Arbitrary<[string, unknown][]> => {
  const names = parameters.map(({ name }) => name);
  const plausible = parameters.map(({ name, schema }) => fc.tuple(fc.constant(name), valid(maker, schema ?? {}, name)));
  const odd = fc.tuple(fc.constantFrom("no_such_field", "__proto__", ...names), fc.oneof(oddText, oddNumber));
  return fc.array(fc.oneof(odd, ...plausible), { maxLength: 6 });
};

/** Values that the schema allows. A pattern is satisfied only by an example or a known value. */
const valid = (maker: Maker, schema: Schema, name = ""): Arbitrary<unknown> => {
  const known = maker.known[name];
  const made = validByType(maker, resolve(schema, maker.document));
  return known && known.length > 0
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: made })
    : made;
};

const validByType = (maker: Maker, schema: OpenApiSchema): Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => valid(maker, branch)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return validObject(maker, schema);
    case "array":
      return fc.array(valid(maker, (schema.items ?? {}) as Schema), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) });
    case "number":
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "string":
      return validText(schema);
    default:
      return fc.constant(null);
  }
};

const validObject = (maker: Maker, schema: OpenApiSchema): Arbitrary<unknown> => {
  const fields = Object.entries(schema.properties ?? {});
  const choices = (schema.oneOf ?? []).map((choice) => ("required" in choice && choice.required) || []);
  const sets = choices.length === 0 ? [[]] : choices;
  return fc.oneof(
    ...sets.map((chosen) => {
      const others = choices.flat().filter((name) => !chosen.includes(name));
      const taken = fields.filter(([name]) => !others.includes(name));
      return fc.record(Object.fromEntries(taken.map(([name, field]) => [name, valid(maker, field, name)])), {
        requiredKeys: [...(schema.required ?? []), ...chosen],
      });
    }),
  );
};

const validText = (schema: OpenApiSchema): Arbitrary<string> => {
  if (schema.format === "date") return fc.constantFrom("2026-11-20", "2024-02-29", "1999-12-31");
  if (schema.format === "date-time") return fc.constantFrom("2026-11-20T09:30:00Z", "2026-11-20T09:30:00.123Z");
  if (schema.format === "email") return fc.nat(99_999).map((n) => `made-up-${n}@example.com`);
  if (schema.pattern !== undefined) return fc.constant(String(schema.example ?? "CNSHA"));
  const length = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 200) };
  return fc.string({ ...length, unit: "grapheme-ascii" });
};

/** A valid value with one part broken. */
const mutated = (maker: Maker, schema: Schema): Arbitrary<unknown> =>
  fc
    .tuple(valid(maker, schema), fc.constantFrom("drop", "replace", "add", "leave"), fc.nat(), oddKey, oddValue)
    .map(([value, act, at, key, odd]) => {
      if (typeof value !== "object" || value === null) return odd;
      const names = Object.keys(value);
      const name = names[at % Math.max(1, names.length)] ?? "";
      if (act === "drop") return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
      // Defined, not assigned: assigning to __proto__ would not create a field.
      if (act === "add") return Object.fromEntries([...Object.entries(value), [key, odd]]);
      return act === "replace" ? { ...value, [name]: odd } : value;
    });

const oddKey = fc.constantFrom("no_such_field", "__proto__", "constructor", "toString", "", "id", "\u0000");

const oddText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "x\udfff",
    "\u202e\u200b",
    "' OR 1=1 --",
    "'; drop table accounts; --",
    "%' or '%'='",
    "\\",
    "%",
    "_",
    "$1",
    "{{7*7}}",
    "<script>alert(1)</script>",
    "null",
    "undefined",
    "NaN",
    "-1",
    "1e309",
    "9".repeat(40),
    "0000000001",
    "２",
    "🚢".repeat(30),
    "e\u0301".repeat(20),
    "x".repeat(5000),
    "2026-02-30",
    "0000-01-01",
    "9999-12-31T23:59:59Z",
    "2026-11-20T09:30:00+14:00",
    "+275760-09-13T00:00:00Z",
    "W10",
    "WyIiLDFd",
    "W251bGwsbnVsbF0",
    "WyIyMDI2LTAxLTAxVDAwOjAwOjAwWiIsMV0",
  ),
);

const oddNumber: Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 63, 1e308, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const nested = (depth: number): unknown =>
  depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };

const oddValue: Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: 1 }),
  fc.constantFrom(5, 19, 21, 500).map(nested),
  fc.array(fc.oneof(oddText, oddNumber), { maxLength: 5 }),
  fc.constant(Array.from({ length: 200 }, (_, i) => i)),
);

const rawBody: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "nul",
    "[1,]",
    '{"a":1}{"b":2}',
    "\ufeff{}",
    '"\\ud800"',
    "1e999",
    "{'a':1}",
    "[".repeat(3000),
  ),
  fc.string({ maxLength: 40 }),
);

/** Values that a header can hold. */
const headerText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "x",
    "*",
    'W/"x"',
    '"x", "y"',
    ",,,",
    "x".repeat(255),
    "x".repeat(256),
    "x".repeat(5000),
    "caf\u00e9",
    "a b",
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
);
