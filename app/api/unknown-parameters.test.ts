import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  ({ token } = await world.account());
});
afterAll(() => world.close());
beforeEach(() => {
  world.ctx.rateLimiter = memoryRateLimiter();
});

const get = (path: string, prefer?: string) =>
  call(world, "GET", path, { token, headers: prefer === undefined ? {} : { Prefer: prefer } });
const list = "/route-access/all-routes";
const strict = "handling=strict";

describe("Query parameters that an endpoint does not know", () => {
  it("are ignored and named, whether or not the request succeeds", async () => {
    const ok = await get(`${list}?orgin=CNSHA&utm_source=mail&limit=1`);
    expect([ok.status, ok.headers["X-Ignored-Parameters"]]).toEqual([200, "orgin, utm_source"]);
    const missing = await get("/api-keys/2147483647?verbose=1");
    expect([missing.status, missing.headers["X-Ignored-Parameters"]]).toEqual([404, "verbose"]);
  });

  it("are not mentioned if there are none", async () => {
    const { headers } = await get(`${list}?origin=CNSHA`);
    expect(headers).not.toHaveProperty("X-Ignored-Parameters");
    expect(headers).not.toHaveProperty("Preference-Applied");
  });

  it.each([
    ["line breaks", "a%0D%0ASet-Cookie:%20b=1", "a%0D%0ASet-Cookie%3A%20b"],
    ["separators", "a,b", "a%2Cb"],
    ["other scripts", "ключ=1", "%D0%BA%D0%BB%D1%8E%D1%87"],
    ["members of every object", "toString=1&__proto__=2", "toString, __proto__"],
    ["an empty name", "=1", ""],
    ["long names, cut between characters", `${"x".repeat(63)}😀😀`, `${"x".repeat(63)}${encodeURIComponent("😀")}`],
  ])("are encoded: %s", async (_, query, named) => {
    expect((await get(`${list}?limit=1&${query}`)).headers["X-Ignored-Parameters"]).toBe(named);
  });

  it("are named up to a limit", async () => {
    const many = Array.from({ length: 500 }, (_, i) => `p${i}=1`).join("&");
    const { headers } = await get(`${list}?limit=1&${many}`);
    expect(headers["X-Ignored-Parameters"]?.split(", ")).toHaveLength(20);
    const { body } = await get(`${list}?limit=1&${many}`, strict);
    expect(body.errors).toHaveLength(20);
  });
});

it.each(["limit=1&limit=2", "origin=CNSHA&origin=SGSIN", "limit=1&%6Cimit=1"])(
  "A parameter that is sent twice is rejected, not chosen from: %s",
  async (query) => {
    const { status, body } = await get(`${list}?${query}`);
    const path = new URLSearchParams(query).keys().next().value;
    expect([status, body.errors]).toEqual([422, [{ path, message: "Must be one value, not a list" }]]);
  },
);

describe("Prefer: handling=strict", () => {
  it("rejects unknown parameters, also where there are no known ones", async () => {
    const reply = await get(`${list}?orgin=CNSHA`, strict);
    expect([reply.status, reply.body.errors]).toEqual([422, [{ path: "orgin", message: "Unknown parameter" }]]);
    expect(reply.headers["Preference-Applied"]).toBe("handling=strict");
    expect(reply.headers).not.toHaveProperty("X-Ignored-Parameters");
    const logout = await call(world, "POST", "/auth/logout?everywhere=1", { token, headers: { Prefer: strict } });
    expect(logout.status).toBe(422);
  });

  it("is confirmed when every parameter is known", async () => {
    const reply = await get(`${list}?origin=CNSHA`, strict);
    expect([reply.status, reply.headers["Preference-Applied"]]).toEqual([200, "handling=strict"]);
  });

  it.each([
    ['respond-async, Handling = "strict"; reason=test', 422],
    ["handling=strict, handling=lenient", 422],
    ["handling=lenient, handling=strict", 200],
    ["handling=lenient", 200],
    ["handling", 200],
    ["handling=strictly", 200],
    ['","", handling', 200],
  ])("is read from the header %s", async (prefer, status) => {
    expect((await get(`${list}?orgin=CNSHA`, prefer)).status).toBe(status);
  });
});
