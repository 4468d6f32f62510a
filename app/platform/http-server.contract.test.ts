/** How the built service stops. */
import { Agent, request } from "node:http";
import postgres from "postgres";
import { afterEach, describe, expect, it } from "vitest";
import { type Service, startService } from "../testing/service.ts";

let service: Service | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

type Answer = { status: number; isLast: boolean };

/** Sends one request over the agent's connection and reads the whole response. */
const ask = (agent: Agent, url: string, body?: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const sent = request(url, { agent, method: body === undefined ? "GET" : "POST", headers }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, isLast: response.headers.connection === "close" }),
      );
    });
    sent.once("error", reject);
    sent.end(body);
  });

const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

const hasWritten = async ({ output }: Service, text: string): Promise<void> => {
  while (!output().includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
};

const login = JSON.stringify({ email: "demo@example.com", password: "demo-harbour-2026" });

describe("A service that is shutting down", { timeout: 120_000 }, () => {
  it("answers every request on kept-alive connections, and then closes them", async () => {
    service = await startService();
    const { url } = service;
    const paths = ["/hooks/health", "/docs", "/api/api-keys", "/favicon.svg"];
    const warm: Promise<void>[] = [];
    const clients = Array.from({ length: 24 }, (_, i) => {
      const agent = oneConnection();
      let isWarm = () => {};
      warm.push(
        new Promise((resolve) => {
          isWarm = resolve;
        }),
      );
      const loop = async (): Promise<string> => {
        for (let count = 1; ; count += 1) {
          const { isLast } = await ask(agent, `${url}${paths[i % paths.length]}`);
          if (count === 2) isWarm();
          if (isLast) return "told to close";
        }
      };
      return loop().catch((error) => {
        isWarm();
        return String(error);
      });
    });
    await Promise.all(warm);
    const ended = service.terminate();
    expect(await Promise.all(clients)).toEqual(clients.map(() => "told to close"));
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain("Stopped.\n");
  });

  it("finishes running requests", async () => {
    service = await startService();
    const sql = postgres(service.databaseUrl, { max: 1, onnotice: () => {} });
    const lock = await sql.reserve();
    await lock`begin`;
    await lock`lock table accounts in access exclusive mode`;
    const answer = ask(oneConnection(), `${service.url}/api/auth/login`, login);
    await isWaiting(service.databaseUrl);
    const ended = service.terminate();
    await hasWritten(service, "Stopping on SIGTERM");
    await lock`rollback`;
    expect(await answer).toEqual({ status: 200, isLast: true });
    expect((await ended).code).toBe(0);
    lock.release();
    await sql.end();
  });

  it("ends even if the database never answers, and reports what is unfinished", async () => {
    service = await startService();
    const sql = postgres(service.databaseUrl, { max: 1, onnotice: () => {} });
    const lock = await sql.reserve();
    await lock`begin`;
    await lock`lock table accounts in access exclusive mode`;
    const answer = ask(oneConnection(), `${service.url}/api/auth/login`, login).catch(() => "cut");
    await isWaiting(service.databaseUrl);
    expect((await service.terminate()).code).toBe(0);
    expect(await answer).toBe("cut");
    expect(service.output()).toMatch(/Stopped with 1 request( and \d+ jobs?)? unfinished\.\n/);
    await lock`rollback`;
    lock.release();
    await sql.end();
  });
});

/** Resolves when a session waits for a lock. */
const isWaiting = async (databaseUrl: string): Promise<void> => {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const count = async () =>
    Number((await sql`select count(*) as waiting from pg_locks where not granted`)[0]?.waiting ?? 0);
  while ((await count()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await sql.end();
};
