/** One ID leads from what a visitor sees to the log, whoever answers the request. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, startService } from "../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

/** Logged since the call. */
const securityEvents = (since: number): { name: string; request_id?: string }[] =>
  service
    .output()
    .slice(since)
    .split("\n")
    .filter((line) => line.includes('"message":"security"'))
    .map((line) => JSON.parse(line));

const signIn = (origin: string) =>
  fetch(`${service.url}/sign-in`, {
    method: "POST",
    headers: { Origin: origin, Accept: "text/html" },
    body: new URLSearchParams({ email: "nobody@example.com", password: "not the right password" }),
  });

it.each([
  { what: "a form that the portal refuses", origin: () => service.url, status: 422, name: "password.refused" },
  { what: "a form of another site", origin: () => "https://evil.example", status: 403, name: "cross_site.refused" },
])("is the same in the response and in the security event of $what", async ({ origin, status, name }) => {
  const since = service.output().length;
  const response = await signIn(origin());
  const requestId = response.headers.get("x-request-id") ?? "";
  expect(response.status).toBe(status);
  await expect.poll(() => securityEvents(since)).toEqual([expect.objectContaining({ name, request_id: requestId })]);
  if (status === 403) expect(await response.text()).toContain(`<code>${requestId}</code>`);
});
