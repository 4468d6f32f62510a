import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createWorld, type World } from "../testing/world.ts";
import { apiRoute } from "./api-route.server.ts";
import { changelog } from "./changelog.ts";
import { contracts } from "./contracts/all.ts";
import { noticeMonths } from "./deprecation.ts";
import { type Contract, endpoint } from "./endpoint.ts";
import { serve } from "./serve.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ catalogue: "empty" });
});
afterAll(() => world.close());

const contract = endpoint({
  id: "former",
  tag: "Routes",
  method: "GET",
  path: "/former",
  access: "public",
  summary: "An endpoint that will end",
  query: z.object({ limit: z.enum(["1"]).optional() }),
  deprecated: { announced: "2026-11-22", sunset: "2027-11-22", instead: "Use GET /latter." },
  answer: { status: 200, description: "Nothing.", schema: z.object({}) },
});

const get = (query = "") =>
  apiRoute(serve(contract, async () => ({}))).core(world.ctx, {
    method: "GET",
    path: "/former",
    search: new URLSearchParams(query),
    header: () => null,
    readBody: async () => new Uint8Array(),
    ipAddress: "192.0.2.1",
  });

describe("A deprecated endpoint", () => {
  it.each([
    ["a success", "", 200],
    ["an error", "limit=2", 422],
  ])("says since when and until when on %s", async (_, query, status) => {
    const response = await get(query);
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      Deprecation: `@${Date.parse("2026-11-22T00:00:00Z") / 1000}`,
      Sunset: "Mon, 22 Nov 2027 00:00:00 GMT",
      Link: '<http://localhost:3000/docs/changelog#deprecation>; rel="deprecation"; type="text/html"',
    });
  });
});

const deprecated = (contracts as Contract[]).flatMap((one) => (one.deprecated ? [{ ...one, ...one.deprecated }] : []));

it("Every deprecation gives the promised notice and is in the changelog", () => {
  for (const { method, path, announced, sunset } of deprecated) {
    const earliest = new Date(announced);
    earliest.setUTCMonth(earliest.getUTCMonth() + noticeMonths);
    expect([path, new Date(sunset) >= earliest]).toEqual([path, true]);
    const entry = changelog.find(
      ({ kind, endpoints = [] }) => kind === "deprecated" && endpoints.includes(`${method} ${path}`),
    );
    expect([path, entry?.date]).toEqual([path, announced]);
  }
});
