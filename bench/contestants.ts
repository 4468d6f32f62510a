/** The servers that `http.ts` compares: our API in its forms, and those of bench/contestants/. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../app/testing/free-port.ts";
import { type RedisServer, redisIsInstalled, startRedisServer } from "../app/testing/redis-server.ts";
import { startService } from "../app/testing/service.ts";
import { fetchBody } from "./load.ts";
import type { Reading } from "./readers.ts";
import { print, type Stage, withoutDemo } from "./stage.ts";

export const sizes = ["small", "large"] as const;
export type Size = (typeof sizes)[number];

export type Contestant = {
  name: string;
  pid: number;
  port: number;
  path: (size: Size) => string;
  /** Headers of the accounts, which take turns. */
  callers: Record<string, string>[];
};

/** A contestant that could not be installed or started, or needs a program that is missing. */
export type Absence = { name: string; reason: string };

export type Field = {
  contestants: Contestant[];
  absent: Absence[];
  bodyBytes: Record<Size, number>;
  redisPid: number | null;
};

export const names = {
  ours: "ours, node:http, limits in memory",
  oursWithRedis: "ours, node:http, limits in Redis",
  bareFastify: "bare fastify",
  fastifyRateLimit: "fastify, key query, @fastify/rate-limit in memory",
  fastifyRateLimitRedis: "fastify, key query, @fastify/rate-limit in Redis",
  betterAuth: "node:http, better-auth verifyApiKey",
} as const;

const ours = [
  { name: names.ours, by: "server" },
  { name: names.oursWithRedis, by: "server", redis: true },
  { name: "ours, remix-serve, limits in memory", by: "remix-serve" },
  { name: "ours, remix-serve, limits in Redis", by: "remix-serve", redis: true },
] as const;

const others = [
  { name: "bare node:http", script: "bare-node.mjs" },
  { name: names.bareFastify, script: "bare-fastify.mjs" },
  { name: names.fastifyRateLimit, script: "fastify-rate-limit.mjs" },
  { name: names.fastifyRateLimitRedis, script: "fastify-rate-limit.mjs", redis: true },
  { name: "node:http, key query, rate-limiter-flexible in PostgreSQL", script: "rate-limiter-flexible.mjs" },
  { name: names.betterAuth, script: "better-auth.mjs" },
  { name: "express-gateway key-auth", script: "express-gateway/express-gateway.mjs", redis: true },
];

const folder = fileURLToPath(new URL("contestants", import.meta.url));
const noRedis = "needs redis-server: apt-get install redis-server";

/** @param closers what stops them is added here, also when a start fails */
export const startContestants = async (
  stage: Stage,
  { readers, small, large }: Reading,
  closers: (() => Promise<void>)[],
): Promise<Field> => {
  const redis = redisIsInstalled ? await startRedisServer() : null;
  if (redis) closers.push(redis.stop);
  const absent: Absence[] = [];
  const contestants: Contestant[] = [];
  // With this, `startService` does not start the database server for tests.
  process.env.TEST_DATABASE_URL = stage.adminUrl;
  for (const { name, by, ...needs } of ours) {
    if ("redis" in needs && !redis) {
      absent.push({ name, reason: noRedis });
      continue;
    }
    const env = "redis" in needs && redis ? { REDIS_URL: redis.url } : {};
    const service = await startService({ by, databaseUrl: stage.databaseUrl, env: { ...withoutDemo, ...env } });
    closers.push(service.stop);
    const queries = { small: `id=${small.id}&to=2020-01-01`, large: `id=${large.id}&limit=18` };
    const path = (size: Size) => `/api/api-routes-data?${queries[size]}`;
    contestants.push({ name, pid: service.pid, port: Number(new URL(service.url).port), path, callers: readers });
  }

  const bodies = await writeBodies(stage, contestants[0] as Contestant);
  for (const { name, script, redis: needsRedis } of others) {
    try {
      if (needsRedis && !redis) throw new Error(noRedis);
      await install(path.dirname(path.join(folder, script)));
      const env = environmentOf(stage, readers.length, bodies, needsRedis ? redis : null);
      const { child, port, credentials } = await start(script, { ...env, PORT: String(await freePort()) });
      closers.push(() => end(child));
      const pid = child.pid ?? 0;
      contestants.push({ name, pid, port, path: (size) => `/${size}`, callers: credentials ?? readers });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      print(`Without ${name}: ${reason}`);
      absent.push({ name, reason });
    }
  }
  const bodyBytes = { small: bodies.small.bytes, large: bodies.large.bytes };
  return { contestants, absent, bodyBytes, redisPid: redis?.pid() ?? null };
};

type Bodies = Record<Size, { file: string; bytes: number }>;

/** Our own answers, for the others to send. */
const writeBodies = async ({ folder }: Stage, { port, path: pathOf, callers }: Contestant): Promise<Bodies> => {
  const write = async (size: Size) => {
    const body = await fetchBody({ port, path: pathOf(size), headers: () => callers[0] ?? {} });
    const file = path.join(folder, `${size}.json`);
    writeFileSync(file, body);
    return { file, bytes: body.byteLength };
  };
  return { small: await write("small"), large: await write("large") };
};

const environmentOf = ({ databaseUrl }: Stage, accounts: number, bodies: Bodies, redis: RedisServer | null) => ({
  DATABASE_URL: databaseUrl,
  SMALL_BODY: bodies.small.file,
  LARGE_BODY: bodies.large.file,
  ACCOUNTS: String(accounts),
  ...(redis ? { REDIS_URL: redis.url } : {}),
});

type Ready = { port: number; credentials?: Record<string, string>[] };

const start = async (script: string, env: Record<string, string>): Promise<Ready & { child: ChildProcess }> => {
  const { PATH, HOME } = process.env;
  const child = fork(path.join(folder, script), {
    env: { PATH, HOME, NODE_ENV: "production", ...env },
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`ended with code ${code} on Node ${process.versions.node}: ${errors.trim().split("\n").at(0)}`);
  });
  const [ready] = (await Promise.race([once(child, "message"), ended])) as [Ready];
  ended.catch(() => {});
  return { ...ready, child };
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
};

/** `npm ci`, unless what the lockfile names is installed. */
const install = async (packageFolder: string): Promise<void> => {
  const modified = (...names: string[]) =>
    statSync(path.join(packageFolder, ...names), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (modified("node_modules", ".package-lock.json") >= modified("package-lock.json")) return;
  print(`Installing the packages of ${path.basename(packageFolder)}`);
  const child = spawn("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: packageFolder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`npm ci failed: ${errors.trim().split("\n").at(-1)}`);
};
