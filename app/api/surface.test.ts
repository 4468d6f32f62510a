import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { document } from "../testing/openapi-check.ts";
import { changelog } from "./changelog.ts";
import { breakages, surfaceOf } from "./surface.ts";

const recorded = readFileSync(fileURLToPath(new URL("surface.txt", import.meta.url)), "utf8")
  .trimEnd()
  .split("\n");
const present = surfaceOf(document);

describe("The surface of the API", () => {
  it("breaks no client, unless the changelog says so", () => {
    const announced = changelog.flatMap(({ breaks = [] }) => breaks);
    // Add an entry with `breaks` to app/api/changelog.ts, or keep what clients rely on.
    expect(breakages(recorded, present).filter((line) => !announced.includes(line))).toEqual([]);
  });

  it("is the recorded one", () => {
    // `npm run clients` records it.
    expect(present).toEqual(recorded);
  });

  it("has an entry in the changelog for every endpoint", () => {
    const listed = changelog.flatMap(({ endpoints = [] }) => endpoints);
    const endpoints = present.filter((line) => /^(GET|POST|PUT|DELETE) \S+$/.test(line));
    expect(endpoints.filter((line) => !listed.includes(line))).toEqual([]);
  });

  it("has lines for parameters, bodies, answers and shared schemas", () => {
    expect(present).toEqual(
      expect.arrayContaining([
        "GET /api-routes-data ? id!: integer",
        "GET /api-keys ? limit: integer",
        "POST /auth/login < email!: string",
        "POST /subscriptions/calculate-subscription-price < items[].period_id!: integer",
        "GET /api-keys > api_keys: ApiKey[]",
        "GET /api-keys/export > text/csv",
        "RouteData > capacity.available: integer",
        "RouteData > waypoints[].location.lat: number",
        "RouteData > next_cursor: null | string",
      ]),
    );
  });
});

describe("A breakage", () => {
  const before = [
    "GET /routes",
    "GET /routes ? id!: integer",
    "GET /routes ? limit: integer",
    "GET /routes > routes: Route[]",
    "Route > id: integer",
  ];
  const replaced = (line: string, by: string[] = []) => before.flatMap((one) => (one === line ? by : [one]));

  it.each([
    ["an endpoint that is gone", [], before],
    ["a parameter that is gone", replaced("GET /routes ? limit: integer"), ["GET /routes ? limit: integer"]],
    ["a field that is gone or may be missing", replaced("Route > id: integer"), ["Route > id: integer"]],
    [
      "a field of another type",
      replaced("Route > id: integer", ["Route > id: integer | null"]),
      ["Route > id: integer"],
    ],
    ["a new parameter that is required", [...before, "GET /routes ? q!: string"], ["GET /routes ? q!: string"]],
    [
      "a parameter that has become required",
      replaced("GET /routes ? limit: integer", ["GET /routes ? limit!: integer"]),
      ["GET /routes ? limit!: integer"],
    ],
  ])("is %s", (_, after, expected) => {
    expect(breakages(before, after)).toEqual(expected);
  });

  it.each([
    ["a parameter that has become optional", replaced("GET /routes ? id!: integer", ["GET /routes ? id: integer"])],
    ["a new endpoint with required parameters", [...before, "POST /routes", "POST /routes < name!: string"]],
    ["a new field", [...before, "Route > name: string"]],
    ["a new optional parameter", [...before, "GET /routes ? q: string"]],
  ])("is not %s", (_, after) => {
    expect(breakages(before, after)).toEqual([]);
  });
});
