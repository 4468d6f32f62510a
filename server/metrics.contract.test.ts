/** The metrics of the built service, over both doors, with one process and with two workers. */
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "#app/testing/free-port.ts";
import { type Service, startService } from "#app/testing/service.ts";

const token = "metrics-test-token-0123456789";
const running: Service[] = [];
const start = async (env: Record<string, string> = {}): Promise<Service> => {
  const service = await startService({ env });
  running.push(service);
  return service;
};
afterAll(async () => {
  for (const service of running) await service.stop();
});

const read = async (url: string, authorization?: string) => {
  const response = await fetch(url, authorization === undefined ? {} : { headers: { Authorization: authorization } });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};

/** The sum of all series with this name and these labels. */
const sumOf = (text: string, name: string, ...labels: string[]): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);

/** How many requests with these labels are counted by now: a request is when it has ended, which the client may learn first. */
const counted = async (url: string, ...labels: string[]): Promise<number> =>
  sumOf((await read(url, `Bearer ${token}`)).text, "http_server_request_duration_seconds_count", ...labels);

describe("Metrics over HTTP", () => {
  it("do not exist without their settings", async () => {
    const service = await start();
    expect((await read(`${service.url}/hooks/metrics`, `Bearer ${token}`)).status).toBe(404);
  });

  it("are read with the token, and count requests by the template of their path", async () => {
    const service = await start({ METRICS_TOKEN: token });
    const at = `${service.url}/hooks/metrics`;
    for (const path of ["/api/route-access/regions/7", "/api/nonsense/1", "/status", "/routes/1?from=x", "/nowhere"]) {
      await fetch(`${service.url}${path}`);
    }
    expect((await read(at)).status).toBe(401);
    expect((await read(at, `Bearer ${token}x`)).status).toBe(401);
    for (const route of ["/status", "/routes/{route_id}", "/{unknown}"]) {
      await expect.poll(() => counted(at, `http_route="${route}"`)).toBe(1);
    }
    await expect.poll(() => counted(at, 'http_route="/hooks/metrics"', '"401"')).toBe(2);
    const { status, type, text } = await read(at, `Bearer ${token}`);
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const active = async () => sumOf((await read(at, `Bearer ${token}`)).text, "http_server_active_requests");
    await expect.poll(active).toBe(1);
    expect(sumOf(text, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(text).toMatch(/^nodejs_eventloop_delay_p99_seconds \d/m);
    expect(text).toMatch(/^queue_due\{queue="mail"\} \d/m);
    expect(text).toMatch(/^data_periods_late \d/m);
    expect(text).not.toMatch(/nonsense|wp-login|from=x|worker=/);
  });

  it("are those of all workers, whichever of them is asked", async () => {
    const port = await freePort();
    const service = await start({ METRICS_TOKEN: token, METRICS_PORT: String(port), WEB_CONCURRENCY: "2" });
    for (let request = 0; request < 8; request++) {
      await fetch(`${service.url}/status`, { headers: { Connection: "close" } });
    }
    const bearer = `Bearer ${token}`;
    expect((await read(`http://127.0.0.1:${port}/metrics`)).status).toBe(401);
    expect((await read(`http://127.0.0.1:${port}/`, bearer)).status).toBe(404);
    await expect.poll(() => counted(`http://127.0.0.1:${port}/metrics`, 'http_route="/status"')).toBe(8);
    const texts = [
      (await read(`http://127.0.0.1:${port}/metrics`, bearer)).text,
      (await read(`${service.url}/hooks/metrics`, bearer)).text,
    ];
    for (const text of texts) {
      expect(sumOf(text, "http_server_request_duration_seconds_count", 'http_route="/status"')).toBe(8);
      for (const worker of ["1", "2"]) {
        expect(sumOf(text, "process_resident_memory_bytes", `worker="${worker}"`)).toBeGreaterThan(1e7);
      }
      expect(text.match(/^queue_due\{queue="mail"\} /gm)).toHaveLength(1);
    }
  });
});
