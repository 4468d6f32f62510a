/** An example of a schema, composed of the examples of its fields. */
import type { OpenApiDocument, OpenApiReference, OpenApiSchema } from "./openapi.ts";
import { demoRouteCode, demoSample } from "./sample-route.ts";

type Schema = OpenApiSchema | OpenApiReference;

/** @param name of the field or parameter */
export const exampleOf = (schema: Schema, document: OpenApiDocument, name = ""): unknown => {
  const found = resolve(schema, document);
  if (found.example !== undefined) return found.example;
  const shared = name in story ? story[name] : name.endsWith("_cents") ? story.total_cents : undefined;
  if (shared !== undefined && fits(shared, found)) return shared;
  if (found.examples?.[0] !== undefined) return found.examples[0];
  if (found.const !== undefined) return found.const;
  if (found.default !== undefined) return found.default;
  if (found.enum?.[0] !== undefined) return found.enum[0];
  const branch = (found.anyOf ?? found.oneOf ?? found.allOf)?.[0];
  if (branch && found.type === undefined) return exampleOf(branch, document);
  return byType(found, document);
};

/** Whether the schema accepts a value's type. The same name can mean different things in different places. */
const fits = (value: unknown, schema: OpenApiSchema): boolean => {
  const kinds = [schema, ...((schema.anyOf ?? []) as OpenApiSchema[])].flatMap(({ type }) => type ?? []);
  if (schema.enum && !schema.enum.includes(value)) return false;
  const kind = kindOf(value);
  return kinds.length === 0 || kinds.includes(kind) || (kind === "integer" && kinds.includes("number"));
};

const kindOf = (value: unknown) => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
};

/** Resolves a reference; other schemas are returned unchanged. */
export const resolve = (schema: Schema, document: OpenApiDocument): OpenApiSchema => {
  if (!isReference(schema)) return schema;
  const name = schema.$ref.split("/").at(-1) ?? "";
  const target = document.components?.schemas?.[name];
  if (!target) throw new Error(`The document has no schema ${schema.$ref}`);
  return { ...resolve(target, document), ...withoutRef(schema) };
};

const isReference = (schema: Schema): schema is OpenApiReference => "$ref" in schema && schema.$ref !== undefined;

const withoutRef = ({ $ref: _, ...rest }: OpenApiReference): OpenApiSchema => rest as OpenApiSchema;

const byType = (schema: OpenApiSchema, document: OpenApiDocument): unknown => {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return objectExample(schema, document);
    case "array":
      return arrayExample(schema, document);
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "string":
      return byFormat[schema.format ?? ""] ?? "text";
    default:
      return null;
  }
};

/** The first alternative of a union of field sets. */
const objectExample = (schema: OpenApiSchema, document: OpenApiDocument): Record<string, unknown> => {
  const [wanted, ...others] = (schema.oneOf ?? []).map((choice) => ("required" in choice && choice.required) || []);
  const leftOut = others.flat().filter((name) => !wanted?.includes(name));
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => !leftOut.includes(name))
      .map(([name, field]) => [name, exampleOf(field, document, name)]),
  );
};

const arrayExample = (schema: OpenApiSchema, document: OpenApiDocument): unknown[] => {
  if (schema.prefixItems) return schema.prefixItems.map((item) => exampleOf(item as Schema, document));
  return schema.items && typeof schema.items === "object" ? [exampleOf(schema.items as Schema, document)] : [];
};

/** All examples tell one story: a forwarder buys one route's data for three months. Ids and names are those of the demo. */
const story: Record<string, unknown> = {
  id: 42,
  route_id: demoSample.routeId,
  route_ids: [demoSample.routeId, demoSample.otherRouteId],
  period_id: demoSample.periodId,
  subscription_term: "3_months",
  renewal_term: "3_months",
  months: 3,
  monthly_cents: 49_000,
  list_cents: 147_000,
  term_discount_percent: 10,
  volume_discount_percent: 0,
  volume_discount_reason: null,
  discount_cents: 14_700,
  total_cents: 132_300,
  order_id: 7,
  payment_intent_id: "pi_3QxR7kLkdIwHu7ix1fVbT2aM",
  client_secret: "pi_3QxR7kLkdIwHu7ix1fVbT2aM_secret_8sYt0Uq5nZ2e",
  amount_cents: 132_300,
  valid_to: null,
  days_left: 6,
  brand: "visa",
  last4: "4242",
  requests: 1_204,
  route_name: "Shanghai – Rotterdam",
  route: { id: demoSample.routeId, code: demoRouteCode, name: "Shanghai – Rotterdam" },
  start_date: "2026-11-20",
  end_date: "2027-02-20",
  next_charge: { date: "2027-02-17", amount_cents: 132_300 },
  renewal: {
    state: "scheduled",
    next_attempt_on: "2027-02-17",
    amount_cents: 132_300,
    price_change: { previous_amount_cents: 126_000, reasons: ["popularity"], capped: false },
    last_failure: null,
  },
  access_until: "2027-02-20",
  expires_at: "2026-11-21T09:30:00.000Z",
  next_cursor: null,
  carrier: { id: 15, code: "PEL9", name: "Pelorin Lines (demo)" },
  region: { id: 1, code: "EAS", name: "East Asia" },
  trade_lane: { id: 18, code: "EAS-NEU", name: "Asia – North Europe (westbound)" },
  route_group: { id: 67, code: "EAS-NEU-C-CN", name: "China to North Europe – container" },
  distance_nm: 10_537,
  indicative_transit_days: { min: 27, max: 36 },
  transit_days: 31,
  sailings_per_week: 2,
  coordinates: [
    [
      [121.64, 31.36],
      [103.85, 1.2],
      [4.05, 51.98],
    ],
  ],
  origin_port: {
    unlocode: "CNSHA",
    alternate_unlocodes: ["CNSGH"],
    name: "Shanghai",
    country_code: "CN",
    country: "China",
    location: { lat: 31.36, lon: 121.64 },
    timezone: "Asia/Shanghai",
  },
  destination_port: {
    unlocode: "NLRTM",
    alternate_unlocodes: [],
    name: "Rotterdam",
    country_code: "NL",
    country: "Netherlands",
    location: { lat: 51.98, lon: 4.05 },
    timezone: "Europe/Amsterdam",
  },
  waypoints: [
    {
      sequence_number: 1,
      name: "Malacca Strait",
      type: "strait",
      location: { lat: 2.5, lon: 101.2 },
      distance_from_origin_nm: 2_237,
      days_from_departure: 5.8,
    },
  ],
  passages: ["Malacca Strait", "Suez Canal"],
  alternatives: [
    {
      via: "Cape of Good Hope",
      passages: ["Sunda Strait"],
      distance_nm: 13_829,
      extra_distance_nm: 3_292,
      extra_days: 9.8,
    },
  ],
  nominal: 14_000,
  available: 3_150,
  available_capacity: 3_150,
  utilization_percent: 77.5,
  speed_knots: 16,
  departs_on: "2026-11-24",
  arrives_on: "2026-12-25",
  starts_on: "2026-10-01",
  ends_on: null,
};

const byFormat: Record<string, string> = {
  "date-time": "2026-11-20T09:30:00.000Z",
  date: "2026-11-20",
  uuid: "0d5b6a8e-8d5c-4a6e-9f51-0d0b1d6a2f9e",
  email: "ops@forwarder.example",
};
