/** The files below `deploy/`: that they are safe by default and name only settings that exist. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig, variables } from "#app/platform/env.server.ts";
import { v8Flags } from "#app/platform/v8-flags.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const text = (name: string) => readFileSync(path.join(root, name), "utf8");
const settings = Object.keys(variables);

/** The instructions of a Dockerfile, with continued lines joined. */
const instructions = text("deploy/Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n/g, " ")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [, name = "", value = ""] = /^(\w+)\s+(.*)$/.exec(line.replace(/\s+/g, " ").trim()) ?? [];
    return { name, value };
  });
const stageStart = instructions.findLastIndex(({ name }) => name === "FROM");
const lastStage = instructions.slice(stageStart);
const valuesOf = (name: string, within = instructions) =>
  within.filter((line) => line.name === name).map(({ value }) => value);

type ComposeService = {
  image?: string;
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string; restart?: boolean }>;
  network_mode?: string;
  env_file?: string;
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  build?: { context: string; dockerfile: string };
};
const compose = parse(text("deploy/compose.yaml")) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, null>;
};
const { service } = compose.services;

const isPinned = (image: string): boolean => /^[\w./-]+:v?\d[\w.-]*$/.test(image);

describe("The Dockerfile", () => {
  it("has pinned base images, and runs as an ordinary user", () => {
    const bases = valuesOf("FROM").map((value) => value.split(" ")[0] ?? "");
    expect(bases.length).toBe(2);
    expect(bases.filter((image) => !isPinned(image))).toEqual([]);
    expect(valuesOf("USER", lastStage).at(-1)).toBe("node");
    expect(valuesOf("VOLUME", lastStage)).toEqual(["/data"]);
  });

  it("starts the service without a shell, and checks that it lives", () => {
    expect(JSON.parse(valuesOf("CMD", lastStage).at(-1) ?? "")).toEqual(["node", ...v8Flags, "scripts/serve.mjs"]);
    const [check = ""] = valuesOf("HEALTHCHECK", lastStage);
    expect(JSON.parse(check.slice(check.indexOf("[")))).toEqual(["node", "deploy/health-check.mjs", "live"]);
    for (const file of ["scripts/serve.mjs", "deploy/health-check.mjs"])
      expect(existsSync(path.join(root, file))).toBe(true);
  });

  it("sets only settings of the service, to values that are valid", () => {
    const env = Object.fromEntries(
      valuesOf("ENV").flatMap((value) => value.split(" ").map((pair) => pair.split("=") as [string, string])),
    );
    expect(Object.keys(env).filter((name) => !settings.includes(name))).toEqual([]);
    expect(readConfig(env)).toMatchObject({ environment: "production", host: "0.0.0.0", port: 3000, dataDir: "/data" });
  });

  it("copies nothing secret: .dockerignore leaves it out", () => {
    expect(text(".dockerignore").split("\n")).toEqual(
      expect.arrayContaining([".env", ".data", ".git", "node_modules"]),
    );
  });
});

describe("The compose file", () => {
  it("has pinned images, health checks of what others wait for, and volumes that exist", () => {
    const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
    expect(images.length).toBe(4);
    expect(images.filter((image) => !isPinned(image))).toEqual([]);
    for (const { depends_on = {}, volumes = [] } of Object.values(compose.services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(compose.services).toHaveProperty(name);
        if (condition === "service_healthy") expect(compose.services[name]).toHaveProperty("healthcheck");
      }
      for (const volume of volumes) expect(compose.volumes).toHaveProperty([volume.split(":")[0] ?? ""]);
    }
  });

  it("runs the service read-only, without capabilities, and reachable from this machine only", () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      build: { context: "..", dockerfile: "deploy/Dockerfile" },
      healthcheck: { test: ["CMD", "node", "deploy/health-check.mjs", "ready"] },
    });
    const ports = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  });

  it("restarts with the service what shares its network, as each start of it has a new one", () => {
    const guests = Object.values(compose.services).filter(({ network_mode }) => network_mode === "service:service");
    expect(guests.length).toBe(2);
    for (const { depends_on, ports } of guests) {
      expect(depends_on).toMatchObject({ service: { restart: true } });
      expect(ports).toBeUndefined();
    }
  });

  it("gives the service settings that exist and are valid together, as test mode and with real payments", () => {
    const given = (values: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(service?.environment ?? {}).map(([name, value]) => [
          name,
          value.replace(
            /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
            (_, variable, otherwise) => values[variable] ?? otherwise ?? "",
          ),
        ]),
      );
    expect(Object.keys(service?.environment ?? {}).filter((name) => !settings.includes(name))).toEqual([]);
    const own = {
      POSTGRES_PASSWORD: "password",
      SECRETS_KEY: Buffer.alloc(32).toString("base64"),
      INNGEST_KEY: "ab".repeat(32),
      INNGEST_EVENT_KEY: "key",
    };
    expect(readConfig(given(own))).toMatchObject({
      testMode: true,
      redis: { kind: "tcp" },
      // The mail catcher has no certificate; any other mail server must have one.
      mail: { requireTls: false },
      inngest: {},
    });
    const sending = { ...own, SMTP_URL: "smtp://mail.example.com:587" };
    expect(readConfig(given(sending))).toMatchObject({ mail: { requireTls: true } });
    expect(service?.env_file).toBe(".env");
    const paid = {
      ...own,
      APP_URL: "https://data.example.com",
      STRIPE_SECRET_KEY: "sk_live_example",
      STRIPE_PUBLISHABLE_KEY: "pk_live_example",
      STRIPE_WEBHOOK_SECRET: "whsec_example",
    };
    expect(readConfig({ ...given(paid), NODE_ENV: "production" })).toMatchObject({ testMode: false, stripe: {} });
  });
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

describe("The systemd unit", () => {
  const unit = text("deploy/shipping-route-data-service.service");

  it("is an ordinary user's service without rights, whose settings exist", () => {
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name ?? "");
    expect(names.filter((name) => !settings.includes(name))).toEqual([]);
    for (const line of [
      "User=shipping-route-data",
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "KillMode=mixed",
      "TimeoutStopSec=30",
    ])
      expect(unit.split("\n")).toContain(line);
  });

  it("starts the service with the same flags as npm start", () => {
    const command = `node ${v8Flags.join(" ")} scripts`;
    expect(unit).toContain(`ExecStart=/usr/bin/${command}/serve.mjs\n`);
    expect(JSON.parse(text("package.json")).scripts.start).toBe(`exec ${command}/start.mjs`);
  });

  it.runIf(hasSystemd)("is accepted by systemd", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "unit-"));
    try {
      // The program and its folder are those of the target machine.
      const here = unit
        .replace("/usr/bin/node", process.execPath)
        .replace(/^WorkingDirectory=.*$/m, `WorkingDirectory=${folder}`);
      const file = path.join(folder, "shipping-route-data-service.service");
      spawnSync("tee", [file], { input: here });
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
      expect(stderr.split("\n").filter((line) => line.includes("shipping-route"))).toEqual([]);
      expect(status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("The health check", () => {
  const check = (port: number, ...args: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const command = [path.join(root, "deploy/health-check.mjs"), ...args];
      execFile(process.execPath, command, { env: { ...process.env, PORT: String(port) } }, (error, output) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, output }),
      );
    });

  it("exits with 0 if the service says so, and otherwise with 1 and the reason", async () => {
    const server = createServer((req, res) => {
      res.writeHead(req.url === "/hooks/health/live" ? 200 : 503).end('{"status":"stopping"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await check(port, "live")).toMatchObject({ code: 0 });
    expect(await check(port, "ready")).toEqual({ code: 1, output: '503 {"status":"stopping"}\n' });
    await new Promise((resolve) => server.close(resolve));
    expect(await check(port, "live")).toEqual({ code: 1, output: expect.stringContaining("ECONNREFUSED") });
  });
});
