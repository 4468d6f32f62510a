/** Starts the built service in its own process, on a free port and on a clone of the demo database. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { v8Flags } from "../platform/v8-flags.ts";
import { freePort } from "./free-port.ts";
import { cloneOf, openTestServer, prepareSeededTemplate } from "./test-server.ts";

export type Service = {
  /** Without a trailing slash. */
  url: string;
  databaseUrl: string;
  pid: number;
  /** Its output so far. */
  output(): string;
  /** Sends SIGTERM or another signal, and waits until the process has exited. */
  terminate(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL("../..", import.meta.url));
/** One key for all processes on a database. */
const secretsKey = Buffer.alloc(32, "tests").toString("base64");
const startLimitMs = 120_000;

/**
 * @param options.env settings in addition to the database and the address
 * @param options.checkout another folder with a build, to compare it with this one
 * @param options.by `remix-serve` runs the same build without our server; its database must be migrated. `npm start` serves as
 *   that command does after installing and building
 */
export const startService = async (options: Options = {}): Promise<Service> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(options);
    } catch (error) {
      // Another process took the port after it had been found free.
      if (attempt === 3 || !/EADDRINUSE|is taken by another process/.test(String(error))) throw error;
    }
  }
};

type Options = {
  env?: Record<string, string>;
  by?: keyof typeof commands;
  databaseUrl?: string;
  checkout?: string;
};

const commands = {
  server: [...v8Flags, "--import", "tsx", "server/main.ts"],
  "npm start": [...v8Flags, "scripts/serve.mjs"],
  "remix-serve": ["node_modules/.bin/remix-serve", "build/server/index.js"],
};

const start = async (options: Options): Promise<Service> => {
  const database = options.databaseUrl ? { url: options.databaseUrl, drop: async () => {} } : await ownDatabase();
  const port = await freePort();
  const child = spawn(process.execPath, commands[options.by ?? "server"], {
    cwd: options.checkout ?? root,
    env: {
      ...withoutSettings(process.env),
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      APP_URL: `http://localhost:${port}`,
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey,
      // Long, so that a slow machine does not fail a test.
      DATABASE_WAIT_SECONDS: "30",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collect(child);
  const url = `http://localhost:${port}`;
  // A start that fails is reported by its error, unless another port is tried.
  let isServing = false;
  child.once("exit", (code, signal) => {
    if (isServing) process.stderr.write(`The service ended by itself (${code ?? signal}):\n${output()}\n`);
  });
  const terminate: Service["terminate"] = (signalSent = "SIGTERM") => {
    isServing = false;
    if (hasEnded(child)) return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
    const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    child.kill(signalSent);
    return ended;
  };
  const stop = async () => {
    isServing = false;
    // remix-serve waits for idle connections, and has nothing to clean up.
    await end(child, options.by === "remix-serve" ? 500 : 30_000);
    await database.drop();
  };
  try {
    await whenServing(url, child, output);
    isServing = true;
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, databaseUrl: database.url, pid: child.pid ?? 0, output, terminate, stop };
};

/** A clone of the demo database. */
const ownDatabase = async () => {
  const server = await openTestServer();
  const { url, drop } = await cloneOf(server.adminUrl, await prepareSeededTemplate(server.adminUrl));
  return { url, drop: () => drop().then(server.stop) };
};

/** Keeps a developer's own keys and addresses out of tests. An empty value takes precedence over `.env` as well. */
const withoutSettings = (env: NodeJS.ProcessEnv): Record<string, string | undefined> => ({
  ...env,
  ...Object.fromEntries(
    Object.keys(env)
      .filter((name) =>
        /^(STRIPE|UPSTASH|REDIS|INNGEST|SMTP|MAIL|METRICS|OTEL|TEST_MODE|TRUST_PROXY|DATA_DIR|SECRETS|VITEST|NODE_OPTIONS)/.test(
          name,
        ),
      )
      .map((name) => [name, undefined]),
  ),
});

const collect = (child: ChildProcess): (() => string) => {
  const chunks: Buffer[] = [];
  // `npm test` searches the output of all services at its end.
  const folder = process.env.SERVICE_LOGS;
  const add = (chunk: Buffer) => {
    chunks.push(chunk);
    if (folder) appendFileSync(path.join(folder, `${child.pid}.log`), chunk);
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  return () => Buffer.concat(chunks).toString("utf8");
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Waits until it has printed its address and answers there. An answer alone may come from another process, which took the port. */
const whenServing = async (url: string, child: ChildProcess, output: () => string): Promise<void> => {
  const deadline = performance.now() + startLimitMs;
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`The service ended with code ${child.exitCode}:\n${output()}`);
    const isAnnounced = output().includes(`:${new URL(url).port}`);
    if (isAnnounced && (await fetch(`${url}/api/`).catch(() => null)) !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The service did not answer in ${startLimitMs / 1000} s:\n${output()}`);
};

const end = (child: ChildProcess, timeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    if (hasEnded(child)) {
      resolve();
      return;
    }
    const timeout = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    child.once("exit", () => {
      clearTimeout(timeout);
      resolve();
    });
    child.kill("SIGTERM");
  });
