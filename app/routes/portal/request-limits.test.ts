import { afterAll, beforeAll, expect, it } from "vitest";
import { addressSubjectOf, subjectOf } from "#app/domain/rate-limit/policy.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { loader as receipt } from "./billing/receipt.ts";
import { loader as catalogueFile } from "./routes/catalogue-csv.ts";
import { loader as searchPage } from "./routes/index.tsx";
import { loader as search } from "./search.ts";
import { loader as suggestions } from "./suggestions.ts";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("limited");
});
afterAll(() => portal.close());

const statusOf = async (loader: (args: never) => Promise<unknown>, remoteAddress: string, signedIn = false) => {
  const headers = signedIn ? { Cookie: portal.cookie } : {};
  const request = new Request("http://localhost:3000/page?q=rotterdam", { headers });
  const args = { request, params: { invoice_id: "1" }, context: { remoteAddress } };
  const answer = await loader(args as never).catch((thrown: unknown) => thrown);
  return answer instanceof Response
    ? { status: answer.status, retryAfter: Number(answer.headers.get("Retry-After")) }
    : { status: 200, retryAfter: 0 };
};

const useUp = (subject: string) => {
  const { clock, rateLimiter } = portal.service.ctx;
  return rateLimiter.take(subject, { hourly: 1, burst: 1 }, clock.now(), 10_000);
};

it.each([
  ["the search page", searchPage],
  ["the search of the palette", search],
  ["suggestions", suggestions],
] as const)("%s is limited by address for visitors", async (_, loader) => {
  expect(await statusOf(loader, "192.0.2.1")).toEqual({ status: 200, retryAfter: 0 });
  await useUp(`searches:${addressSubjectOf("192.0.2.2")}`);
  const refused = await statusOf(loader, "192.0.2.2");
  expect(refused.status).toBe(429);
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect((await statusOf(loader, "192.0.2.2", true)).status).toBe(200);
});

it("The catalogue as a file is limited by address, and documents by account", async () => {
  expect((await statusOf(catalogueFile, "192.0.2.3")).status).toBe(200);
  await useUp(`documents:${addressSubjectOf("192.0.2.3")}`);
  expect((await statusOf(catalogueFile, "192.0.2.3")).status).toBe(429);
  expect((await statusOf(receipt, "192.0.2.4", true)).status).toBe(404);
  await useUp(`documents:${subjectOf(portal.caller.account)}`);
  const refused = await statusOf(receipt, "192.0.2.4", true);
  expect(refused.status).toBe(429);
  expect(refused.retryAfter).toBeGreaterThan(0);
});
