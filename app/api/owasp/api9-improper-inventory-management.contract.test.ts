/** OWASP API9:2023: what is served is documented, and what is documented is served. */
import type { RouteConfigEntry } from "@remix-run/route-config";
import { beforeAll, describe, expect, inject, it } from "vitest";
import routes from "#app/routes.ts";
import { urlOf } from "../../testing/contract-requests.ts";
import { liveApi } from "../../testing/live-api.ts";
import { contracts } from "../contracts/all.ts";

const { send, register } = liveApi(inject("services").server);

type Paths = Record<string, Record<string, unknown>>;
let documented: Paths;
let token: string;
beforeAll(async () => {
  documented = (await send("GET", "/api/openapi.json")).json.paths;
  ({ token } = await register());
});

const pathsOf = (entry: RouteConfigEntry, above = ""): string[] => {
  const path = entry.path === undefined ? above : `${above}/${entry.path}`;
  return entry.children ? entry.children.flatMap((child) => pathsOf(child, path)) : [path];
};
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

describe("The OpenAPI document", () => {
  it("has every path below /api, and no other", () => {
    const served = routes
      .flatMap((entry) => pathsOf(entry))
      .filter((path) => path.startsWith("/api/") && path !== "/api/*" && path !== "/api/mcp")
      .map((path) => path.slice("/api".length).replace(/:(\w+)/g, "{$1}"));
    expect(Object.keys(documented).sort()).toEqual([...new Set(served)].sort());
  });

  it("has exactly the methods that each path accepts", async () => {
    for (const [path, operations] of Object.entries(documented)) {
      const accepted = [];
      for (const method of methods) {
        // Without credentials nothing happens; only the method's existence shows.
        const { status } = await send(
          method,
          `/api${path.replace(/\{\w+\}/g, "1")}`,
          method === "GET" ? {} : { body: {} },
        );
        if (status !== 405) accepted.push(method.toLowerCase());
      }
      const described = Object.keys(operations).filter((name) => methods.includes(name.toUpperCase()));
      expect([path, accepted.sort()]).toEqual([path, described.sort()]);
    }
  });

  it("marks every deprecated endpoint", () => {
    for (const { path, method, deprecated } of contracts) {
      const operation = documented[path]?.[method.toLowerCase()] as { deprecated?: boolean } | undefined;
      expect([path, method, operation?.deprecated ?? false]).toEqual([path, method, deprecated !== undefined]);
    }
  });
});

it.each([
  "/api/v1/api-keys",
  "/api/v2/api-keys",
  "/api/debug",
  "/api/metrics",
  "/api/swagger",
  "/api/graphql",
  "/api/test",
])("%s is not there", async (path) => {
  expect((await send("GET", path, { token })).status).toBe(404);
});

it("Paths are exact", async () => {
  const [first] = contracts.filter(({ path }) => path === "/api-keys");
  if (!first) throw new Error("There is no list of keys");
  for (const path of [
    `${urlOf(first, {})}/`,
    "/api//api-keys",
    "/api/API-KEYS",
    "/api/api-keys.json",
    "/api/api-keys%2f",
    "/api/API-KEYS/1",
    "/api/api-keys/1/",
    "/api/api-keys/1/STATUS",
  ]) {
    expect([path, (await send("GET", path, { token })).status]).toEqual([path, 404]);
  }
});
