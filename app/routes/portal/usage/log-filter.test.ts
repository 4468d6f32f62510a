import { describe, expect, it } from "vitest";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { readLogFilter } from "./log-filter.ts";
import { inField } from "./log-times.ts";

const read = (search: string) => readLogFilter(nonEmptyParams(new URLSearchParams(search)));

describe("the request log's query parameters", () => {
  it("ignore empty fields", () => {
    expect(read("status=&endpoint=&api_key_id=&route_id=+&from=&to=")).toEqual({});
  });

  it.each([
    ["from=2026-11-20T09:30", "2026-11-20T09:30:00Z"],
    ["from=2026-11-20T09:30:15", "2026-11-20T09:30:15Z"],
    ["from=2026-11-20", "2026-11-20T00:00:00Z"],
    ["from=2026-11-20T09:30:00%2B02:00", "2026-11-20T07:30:00Z"],
  ])("take times without a zone as UTC: %s", (search, expected) => {
    expect(read(search).from).toEqual(new Date(expected));
  });

  it("filter by status, endpoint, key and route", () => {
    expect(read("status=429&endpoint=/api-routes-data&api_key_id=7&route_id=12")).toEqual({
      status: 429,
      endpoint: "/api-routes-data",
      apiKeyId: 7,
      routeId: 12,
    });
  });

  it.each([
    ["route_id=rotterdam", "route_id"],
    ["status=9", "status"],
    ["from=yesterday", "from"],
    ["endpoint=keys", "endpoint"],
  ])("name the invalid field: %s", (search, path) => {
    expect(() => read(search)).toThrow(
      expect.objectContaining({ code: "invalid", fields: [expect.objectContaining({ path })] }),
    );
  });

  it("convert back to the value of a date-time field", () => {
    expect(inField("2026-11-20T09:30")).toBe("2026-11-20T09:30");
    expect(inField("2026-11-20")).toBe("2026-11-20T00:00");
    expect(inField("yesterday")).toBe("");
    expect(inField(null)).toBe("");
  });
});
