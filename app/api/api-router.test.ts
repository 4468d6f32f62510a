import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";
import { hasParams, pathMatcher } from "./path-template.ts";

describe("A path template", () => {
  it.each<[string, string, Record<string, string> | null]>([
    ["/api-keys", "/api-keys", {}],
    ["/api-keys", "/api-keys/", null],
    ["/api-keys", "/API-KEYS", null],
    ["/openapi.json", "/openapi-json", null],
    ["/api-keys/{api_key_id}", "/api-keys/7", { api_key_id: "7" }],
    ["/api-keys/{api_key_id}", "/api-keys/%37", { api_key_id: "%37" }],
    ["/api-keys/{api_key_id}", "/api-keys/7/status", null],
    ["/api-keys/{api_key_id}", "/api-keys/", null],
    ["/api-keys/{api_key_id}/status", "/api-keys/7/status", { api_key_id: "7" }],
  ])("%s matches %s with %j", (template, path, params) => expect(pathMatcher(template)(path)).toEqual(params));

  it("has parameters or none", () => {
    expect([hasParams("/api-keys"), hasParams("/api-keys/{api_key_id}")]).toEqual([false, true]);
  });
});

describe("The router of the API", () => {
  let world: World;
  let token: string;
  beforeAll(async () => {
    world = await createWorld();
    ({ token } = await world.account());
  });
  afterAll(() => world.close());

  it.each<[string, string, number]>([
    ["GET", "/api-keys/export", 200],
    ["GET", "/api-keys/2147483647", 404],
    ["GET", "/api-keys/%zz", 400],
    ["GET", "/Api-Keys", 404],
    ["GET", "/api-keys/", 404],
    ["GET", "", 404],
    ["PUT", "/api-keys/export", 405],
  ])("responds to %s %s with %i", async (method, path, status) => {
    expect((await call(world, method, path, { token })).status).toBe(status);
  });
});
