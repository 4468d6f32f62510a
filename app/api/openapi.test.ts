import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statusOf } from "../platform/refusal-status.ts";
import { call } from "../testing/api-client.ts";
import { assertMatchesDocument, document, validatorAt } from "../testing/openapi-check.ts";
import { createWorld, type World } from "../testing/world.ts";
import { contracts } from "./contracts/all.ts";
import { type Contract, refusalsOf } from "./endpoint.ts";

const methodOf = ({ method }: Contract) => method.toLowerCase() as "get" | "post" | "put" | "delete";
const operationOf = (contract: Contract) => document.paths?.[contract.path]?.[methodOf(contract)];
const names = contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const);

describe.each(names)("The description of %s", (_, contract) => {
  const operation = operationOf(contract);

  it("lists every possible status and no other", () => {
    const wanted = [
      contract.answer.status,
      ...(contract.conditional ? [304] : []),
      ...refusalsOf(contract).map((code) => statusOf[code]),
      500,
    ];
    expect(Object.keys(operation?.responses ?? {}).map(Number)).toEqual([...new Set(wanted)].sort((a, b) => a - b));
  });

  it("requires the credentials of the contract, key and username together", () => {
    const wanted = {
      public: [],
      bearer: [{ bearer: [] }],
      key: [{ apiKey: [], username: [] }],
      bearer_or_key: [{ bearer: [] }, { apiKey: [], username: [] }],
    };
    expect(operation?.security).toEqual(wanted[contract.access]);
  });

  it("has examples that match its schemas", () => {
    const at = ["paths", contract.path, methodOf(contract)];
    const places: string[][] = [["responses", `${contract.answer.status}`]];
    if (contract.body) places.push(["requestBody"]);
    for (const place of places) {
      const { content } = place.reduce<Record<string, unknown>>(
        (part, name) => part[name] as Record<string, unknown>,
        operation as unknown as Record<string, unknown>,
      ) as { content: Record<string, { example: unknown }> };
      for (const [mediaType, { example }] of Object.entries(content)) {
        const validate = validatorAt([...at, ...place, "content", mediaType, "schema"]);
        expect(validate(example), JSON.stringify([example, validate.errors])).toBe(true);
      }
    }
  });

  it("lists the request headers", () => {
    const headers = (operation?.parameters ?? []).flatMap((one) =>
      "in" in one && one.in === "header" ? [one.name] : [],
    );
    expect(headers).toEqual([
      ...(contract.query ? ["Prefer"] : []),
      ...(contract.idempotent ? ["Idempotency-Key"] : []),
      ...(contract.answer.format === "events" ? ["Last-Event-ID"] : []),
      ...(contract.conditional ? ["If-None-Match"] : []),
    ]);
  });
});

describe("The check of answers against the description", () => {
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": "59",
    "X-RateLimit-Reset": "1795168800",
    "X-Request-Id": "0d5b6a8e-8d5c-4a6e-9f51-0d0b1d6a2f9e",
  };
  const body = JSON.stringify({ success: true });

  it("accepts a response that matches", () => {
    assertMatchesDocument("POST", "/auth/logout", 200, headers, body);
  });

  it.each([
    ["an undocumented status", "/auth/logout", 418, headers, body],
    ["a missing header", "/auth/logout", 200, { ...headers, "X-RateLimit-Limit": undefined }, body],
    ["a header that is no number", "/auth/logout", 200, { ...headers, "X-RateLimit-Remaining": "many" }, body],
    ["another media type", "/auth/logout", 200, { ...headers, "Content-Type": "text/html" }, body],
    ["an undeclared field", "/auth/logout", 200, headers, JSON.stringify({ success: true, inside: 1 })],
    [
      "a 429 without Retry-After",
      "/auth/logout",
      429,
      headers,
      JSON.stringify({ success: false, message: "", request_id: headers["X-Request-Id"] }),
    ],
    ["a success of a path that does not exist", "/no/such/path", 200, headers, body],
  ])("rejects %s", (_, path, status, given, text) => {
    const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    expect(() => assertMatchesDocument("POST", path, status, present as Record<string, string>, text)).toThrow(
      "against the document",
    );
  });
});

describe("GET /api/openapi.json", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  it("serves the document without credentials, with this server's address, and 304 for the same version", async () => {
    const { status, body, headers } = await call(world, "GET", "/openapi.json");
    expect(status).toBe(200);
    expect(body).toMatchObject({ openapi: "3.1.0", servers: [{ url: "http://localhost:3000/api" }] });
    expect(Object.keys(body.paths).length).toBe(new Set(contracts.map(({ path }) => path)).size);
    const again = await call(world, "GET", "/openapi.json", { headers: { "If-None-Match": headers.ETag ?? "" } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });
});
