/** Property tests over HTTP: requests generated from the API's description. */
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { anyAddress } from "../testing/live-api.ts";
import { assertMatchesDocument, document } from "../testing/openapi-check.ts";
import { type MadeUp, oddRequest } from "../testing/openapi-requests.ts";
import { contracts } from "./contracts/all.ts";
import type { Contract } from "./endpoint.ts";

const { server, databaseUrl } = inject("services");
const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });

const runs = Number(process.env.PROPERTY_RUNS ?? 70);
/** Enough for none to reach its burst. */
const accountCount = 12;

let tokens: string[] = [];
let turn = 0;
let sent = 0;

beforeAll(async () => {
  tokens = await Promise.all(
    Array.from({ length: accountCount }, async (_, index) => {
      const username = `made-up-${index}`;
      const body = { email: `${username}@example.com`, username, password: "correct horse battery" };
      const response = await post("/auth/register", body, {});
      return ((await response.json()) as { access_token: string }).access_token;
    }),
  );
  await sql`update accounts set plan = 'enterprise' where username like 'made-up-%'`;
});
afterAll(async () => {
  await sql.end();
  expect(sent).toBeGreaterThan(contracts.length * runs * 0.8);
});

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  fetch(`${server}/api${path}`, {
    method: "POST",
    headers: { "X-Forwarded-For": anyAddress(), "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** The next account in turn. */
const credentials = (choice: MadeUp["credentials"]): Record<string, string> => {
  turn = (turn + 1) % tokens.length;
  return choice === "none" ? {} : { Authorization: `Bearer ${tokens[turn]}` };
};

/** How the response changes the token that was sent. */
const keepSignedIn = async (contract: Contract, status: number, text: string): Promise<void> => {
  if (status !== 200) return;
  if (contract.path === "/auth/refresh") tokens[turn] = JSON.parse(text).access_token;
  if (contract.path === "/auth/logout") {
    const login = { email: `made-up-${turn}@example.com`, password: "correct horse battery" };
    tokens[turn] = ((await (await post("/auth/login", login, {})).json()) as { access_token: string }).access_token;
  }
};

const send = async (contract: Contract, request: MadeUp): Promise<void> => {
  const headers = { ...request.headers, "X-Forwarded-For": anyAddress(), ...credentials(request.credentials) };
  const url = `${server}/api${request.path}`;
  const body = request.body === undefined ? undefined : textOf(request.body);
  const init = {
    method: contract.method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined || contract.method === "GET" ? {} : { body }),
  };
  // HTTP itself cannot carry some values, such as a line break in a header.
  if (!canBeSent(url, init)) return;
  sent += 1;
  const response = await fetch(url, init);
  const text = await response.text();
  expect(response.status, text).toBeLessThan(500);
  const path = new URL(url).pathname.slice("/api".length);
  assertMatchesDocument(contract.method, path, response.status, asSpelled(response.headers), text);
  await keepSignedIn(contract, response.status, text);
};

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body));

const canBeSent = (url: string, init: RequestInit): boolean => {
  try {
    return new Request(url, init).url.startsWith(`${server}/api/`);
  } catch {
    return false;
  }
};

/** With the document's capitalization, which HTTP does not keep. */
const asSpelled = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers].map(([name, value]) => [
      spellings[name] ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      value,
    ]),
  );

const spellings: Record<string, string> = {
  "x-ratelimit-limit": "X-RateLimit-Limit",
  "x-ratelimit-remaining": "X-RateLimit-Remaining",
  "x-ratelimit-reset": "X-RateLimit-Reset",
  ratelimit: "RateLimit",
  "ratelimit-policy": "RateLimit-Policy",
  etag: "ETag",
};

describe.each(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
  "%s, over HTTP",
  (_, contract) => {
    it("answers any request as its description allows", async () => {
      const operation = document.paths?.[contract.path]?.[contract.method.toLowerCase() as "get"];
      if (!operation) throw new Error(`The document lacks ${contract.method} ${contract.path}`);
      await fc.assert(
        fc.asyncProperty(oddRequest({ document, known: {} }, contract.path, operation), (request) =>
          send(contract, request),
        ),
        { numRuns: contract.path === "/auth/logout" ? 5 : runs },
      );
    }, 180_000);
  },
);
