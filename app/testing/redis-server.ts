/** A real Redis for tests, without persistence and on a free port. Needs `redis-server`. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";

export type RedisServer = {
  url: string;
  pid(): number;
  /** Kills it, as in a crash. The counters are lost. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  restart(): Promise<void>;
  /** Makes it accept connections and commands without replying, until `resume`. */
  freeze(): void;
  resume(): void;
  stop(): Promise<void>;
};

const program = "redis-server";
export const redisIsInstalled = spawnSync(program, ["--version"]).status === 0;

/** For `describe.skipIf`. Prints a note when Redis is missing. */
export const withoutRedis = (): boolean => {
  if (!redisIsInstalled) {
    // biome-ignore lint/suspicious/noConsole: a skipped suite must be noticed
    console.info("SKIPPED: the tests on a real Redis need `redis-server` (apt-get install redis-server)");
  }
  return !redisIsInstalled;
};

export const startRedisServer = async (): Promise<RedisServer> => {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "redis-"));
  let child = await launch(port, folder);
  const killThis = () => child.kill("SIGKILL");
  process.once("exit", killThis);

  const kill = () => ended(child, killThis);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.pid ?? 0,
    kill,
    restart: async () => {
      child = await launch(port, folder);
    },
    freeze: () => child.kill("SIGSTOP"),
    resume: () => child.kill("SIGCONT"),
    stop: async () => {
      await kill();
      process.off("exit", killThis);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const launch = async (port: number, folder: string): Promise<ChildProcess> => {
  const settings = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "no" };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(program, args, { stdio: "ignore" });
  const deadline = performance.now() + 10_000;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error("redis-server did not start");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return child;
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

const ended = (child: ChildProcess, kill: () => void): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once("exit", () => resolve());
    kill();
  });
