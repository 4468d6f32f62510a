/** The built service while its database accepts connections but never answers, like a hung server. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type MuteProxy, openMuteProxy } from "../testing/mute-proxy.ts";
import { type Service, startService } from "../testing/service.ts";
import { cloneOf, openTestServer, prepareSeededTemplate } from "../testing/test-server.ts";

let proxy: MuteProxy;
let service: Service;
let tidyUp: () => Promise<void>;

beforeAll(async () => {
  const server = await openTestServer();
  const database = await cloneOf(server.adminUrl, await prepareSeededTemplate(server.adminUrl));
  proxy = await openMuteProxy(database.url);
  service = await startService({ databaseUrl: proxy.url, env: { DATABASE_WAIT_SECONDS: "3" } });
  // It serves a moment before it has started in full, and does not start without a database.
  await vi.waitFor(
    async () =>
      expect(await (await fetch(`${service.url}/hooks/health`)).json()).toMatchObject({ scheduler: "embedded" }),
    { timeout: 20_000, interval: 100 },
  );
  tidyUp = async () => {
    await proxy.close();
    await database.drop();
    await server.stop();
  };
});
afterAll(async () => {
  proxy?.resume();
  await service?.stop();
  await tidyUp?.();
});

const json = { "Content-Type": "application/json" };
const credentials = { email: "demo@example.com", password: "demo-harbour-2026" };
const requests: [string, RequestInit?][] = [
  ["/api/auth/login", { method: "POST", headers: json, body: JSON.stringify(credentials) }],
  ["/api/route-access/all-routes", { headers: { Authorization: `Bearer ${"a".repeat(40)}` } }],
  ["/routes"],
  ["/sign-in", { method: "POST", body: new URLSearchParams(credentials) }],
  ["/routes.data"],
  ["/hooks/health"],
];

/** Generous, for a machine that has much else to do. Without limits of our own, it takes half a minute and more. */
const patienceMs = 20_000;

/** More than there are connections. */
const askAll = () =>
  Promise.all(
    [1, 2, 3].flatMap(() =>
      requests.map(async ([path, init]) => {
        const response = await fetch(service.url + path, {
          redirect: "manual",
          signal: AbortSignal.timeout(patienceMs),
          ...init,
        });
        await response.body?.cancel();
        return { path, status: response.status, retry: response.headers.has("retry-after") };
      }),
    ),
  );

it("Everybody gets 503, and is served again by the same process when the database responds", async () => {
  for (const round of [1, 2]) {
    proxy.silence();
    for (const { path, status, retry } of [...(await askAll()), ...(await askAll())]) {
      // Links lead to the page with the error.
      if (path === "/routes.data") expect([path, status], `round ${round}`).toEqual([path, 202]);
      else expect([path, status, retry], `round ${round}`).toEqual([path, 503, path !== "/hooks/health"]);
    }
    proxy.resume();
    await vi.waitFor(
      async () => {
        expect((await fetch(`${service.url}/hooks/health`)).status).toBe(200);
        expect((await fetch(`${service.url}/routes`)).status).toBe(200);
        expect((await fetch(service.url + requests[0]?.[0], requests[0]?.[1])).status).toBe(200);
      },
      { timeout: 15_000, interval: 200 },
    );
  }
}, 120_000);
