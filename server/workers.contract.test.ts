/** The built service with two worker processes. */
import { execFile, execFileSync } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "#app/testing/free-port.ts";
import { type Service, startService } from "#app/testing/service.ts";

let service: Service;
/** More connections than workers. They are distributed in turn, so each worker has some. */
let connections: Agent[];
let token: string;

beforeAll(async () => {
  service = await startService({ env: { WEB_CONCURRENCY: "2" } });
  connections = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const login = { email: "demo@example.com", password: "demo-harbour-2026" };
  ({ access_token: token } = (await ask("POST", "/auth/login", { body: login })).json);
});
afterAll(async () => {
  for (const agent of connections) agent.destroy();
  await service?.stop();
});

type Answer = { status: number; headers: Record<string, unknown>; json: never };
type Asked = { agent?: Agent | undefined; headers?: Record<string, string>; body?: object };

const ask = (method: string, path: string, { agent = connections[0], headers = {}, body }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { agent, method, headers: { ...headers, "Content-Type": "application/json" } };
    const sent = request(`${service.url}/api${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, json: JSON.parse(text) as never });
      });
    });
    sent.once("error", reject);
    sent.end(body && JSON.stringify(body));
  });

/** Repeats a request that exceeded the limit of its second. */
const unlimited = async (send: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await setTimeout(Number(answer.headers["retry-after"]) * 1_000);
  }
};

const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });
const onEach = (act: (agent: Agent) => Promise<Answer>): Promise<Answer[]> => Promise.all(connections.map(act));
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

const workers = (): number[] =>
  execFileSync("pgrep", ["-P", String(service.pid), "-f", "serve.mjs"], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean)
    .map(Number);

describe("Two workers", () => {
  it("reject a key from the next request on, whichever of them revoked it", async () => {
    const { subscriptions } = (await ask("GET", "/subscriptions/my-routes", { headers: bearer(token) })).json as {
      subscriptions: { route_id: number; status: string }[];
    };
    const routeId = subscriptions.find(({ status }) => status === "active")?.route_id;
    for (const agent of connections) {
      const body = { api_key_name: "two workers", user: "demo" };
      const made = await unlimited(() => ask("POST", "/api-keys/generate", { agent, headers: bearer(token), body }));
      const { id, api_key } = made.json as { id: number; api_key: string };
      const headers = { "X-API-Key": api_key, "X-Username": "demo" };
      const read = (each: Agent) =>
        unlimited(() => ask("GET", `/api-routes-data?id=${routeId}`, { agent: each, headers }));
      expect(statuses(await onEach(read))).toEqual([200]);
      const deleted = await unlimited(() => ask("DELETE", `/api-keys/${id}`, { agent, headers: bearer(token) }));
      expect(deleted.status).toBe(200);
      expect(statuses(await onEach(read))).toEqual([401]);
    }
  }, 120_000);

  it("count every request of an account exactly once", async () => {
    const body = { email: "counted@example.com", password: "a long enough pass phrase", username: "counted" };
    const registered = (await ask("POST", "/auth/register", { body })).json as { access_token: string };
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        ask("GET", "/api-keys", {
          agent: connections[i % connections.length],
          headers: bearer(registered.access_token),
        }),
      ),
    );
    // A limit belongs to an hour of the clock, and the hour may end in between.
    const hours = new Set(answers.map(({ headers }) => headers["x-ratelimit-reset"]));
    for (const hour of hours) {
      const counted = answers.filter(({ headers }) => headers["x-ratelimit-reset"] === hour);
      const left = counted.map(({ headers }) => Number(headers["x-ratelimit-remaining"])).sort((a, b) => b - a);
      expect(left).toEqual(left.map((_, i) => 999 - i));
    }
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
  });

  it("name the store of their limits in the health check", async () => {
    const health = await fetch(`${service.url}/hooks/health`);
    expect(await health.json()).toMatchObject({ status: "ok", scheduler: "embedded", rate_limit_store: "postgres" });
  });

  it("continue when one of them is killed, and it is replaced", async () => {
    const before = workers();
    expect(before).toHaveLength(2);
    process.kill(before[0] as number, "SIGKILL");
    await expect.poll(() => workers().filter((pid) => !before.includes(pid)), { timeout: 60_000 }).toHaveLength(1);
    const other = new Agent({ keepAlive: false });
    expect((await ask("GET", "/openapi.json", { agent: other })).status).toBe(200);
    expect(service.output()).toMatch(/Worker \d ended \(SIGKILL\)\. Another one starts now\./);
  });

  it("answer every request before they stop", async () => {
    const untilClosed = async (agent: Agent): Promise<string> => {
      for (;;) {
        const { headers } = await ask("GET", "/openapi.json", { agent });
        if (headers.connection === "close") return "told to close";
      }
    };
    const fresh = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    await Promise.all(fresh.map((agent) => ask("GET", "/openapi.json", { agent })));
    const clients = fresh.map((agent) => untilClosed(agent).catch(String));
    const ended = service.terminate();
    expect(await Promise.all(clients)).toEqual(fresh.map(() => "told to close"));
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain("Stopped.\n");
  });
});

it("Workers that cannot start end the service, with the reason for the operator", async () => {
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    PORT: String(await freePort()),
    DATABASE_URL: service.databaseUrl,
    SECRETS_KEY: Buffer.alloc(32, "tests").toString("base64"),
    WEB_CONCURRENCY: "2",
    LEGAL_DIR: "/nowhere",
  };
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", "server/main.ts"], { env });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      // No stack between the reason and the end.
      /^ {2}LEGAL_DIR must be a folder with terms.md and privacy.md; .*cannot be read\n(?! {4}at )[\s\S]*Worker \d ended \(code 1\) before it could serve/m,
    ),
  });
}, 120_000);
