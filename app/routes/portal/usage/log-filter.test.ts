import { describe, expect, it } from "vitest";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { readLogFilter } from "./log-filter.ts";
import { inField } from "./log-times.ts";

const read = (search: string) => readLogFilter(nonEmptyParams(new URLSearchParams(search)));

describe("The log explorer's address", () => {
  it("leaves out what was not filled in", () => {
    expect(read("status=&endpoint=&api_key_id=&route_id=+&from=&to=")).toEqual({});
  });

  it.each([
    ["from=2026-11-20T09:30", "2026-11-20T09:30:00Z"],
    ["from=2026-11-20T09:30:15", "2026-11-20T09:30:15Z"],
    ["from=2026-11-20", "2026-11-20T00:00:00Z"],
    ["from=2026-11-20T09:30:00%2B02:00", "2026-11-20T07:30:00Z"],
  ])("has its times in UTC: %s", (search, expected) => {
    expect(read(search).from).toEqual(new Date(expected));
  });

  it("narrows by status, endpoint, key and route", () => {
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
  ])("names the field that cannot be right: %s", (search, path) => {
    expect(() => read(search)).toThrow(
      expect.objectContaining({ code: "invalid", fields: [expect.objectContaining({ path })] }),
    );
  });

  it("fills a browser's field again", () => {
    expect(inField("2026-11-20T09:30")).toBe("2026-11-20T09:30");
    expect(inField("2026-11-20")).toBe("2026-11-20T00:00");
    expect(inField("yesterday")).toBe("");
    expect(inField(null)).toBe("");
  });
});
