/**
 * Serves the build: `/api` by the node:http side of its resource routes, everything else by Remix. Brings its own
 * PostgreSQL unless DATABASE_URL names one, and brings that up to date.
 */
import fs from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { ensureDatabase, PostgresTrouble, startPostgres } from "./scripts/embedded-postgres.mjs";
import { keptSecretsKey } from "./scripts/secrets-key.mjs";

const root = path.dirname(fileURLToPath(import.meta.url));
const at = (...names) => path.join(root, ...names);
/** Together less than 25 seconds: many supervisors kill after 30. */
const stopLimitsMs = { requests: 11_000, service: 6_000, database: 6_000 };
/** Ctrl-C reaches this process more than once: from the terminal and again from npm. */
const sameSignalMs = 500;

/** A failure that the operator can mend; its message says how. */
class Trouble extends Error {}

const say = (line) => process.stdout.write(`${line}\n`);

const main = async () => {
  const toldToStop = whenToldToStop();
  const { createClosers, counted } = await tsImport("./app/platform/closers.ts", import.meta.url);
  const closers = createClosers((error) => process.stderr.write(`${error?.stack ?? error}\n`));
  const starting = start(closers, counted);
  try {
    await Promise.race([starting, toldToStop]);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
  starting.catch(() => {});
  say(`Stopping on ${await toldToStop} …`);
  const left = await closers.closeAll();
  say(left.length === 0 ? "Stopped." : `Stopped with ${left.join(" and ")} unfinished.`);
};

const start = async (closers, counted) => {
  const config = await configuration();
  const build = await loadBuild();
  await probePort(config);
  const databaseUrl = config.databaseUrl ?? (await embeddedDatabase(config, closers));
  process.env.DATABASE_URL = databaseUrl;
  if (config.secretsKey === null) process.env.SECRETS_KEY = keptSecretsKey(path.resolve(root, config.dataDir));
  await bringUpToDate(databaseUrl);
  const demo = config.testMode ? await seedDemo(databaseUrl, config.appUrl) : null;

  const service = build.entry.module;
  const jobs = () => counted(service.unfinished?.().jobs ?? 0, "job");
  const stop = async () => {
    await service.stop?.();
    return [];
  };
  closers.add({ limitMs: stopLimitsMs.service, close: stop, whenLate: jobs });
  const { server, drain } = await httpServer(build, config);
  const address = await listen(server, config);
  const finishRequests = async () => {
    service.stopping?.();
    return counted(await drain({ silentMs: 1_000, limitMs: stopLimitsMs.requests }), "request");
  };
  closers.add({ limitMs: stopLimitsMs.requests + 1_000, close: finishRequests, whenLate: () => ["requests"] });
  const { lines = [] } = (await service.ready?.()) ?? {};
  announce(config, address, demo, lines);
};

// ── Before serving ──────────────────────────────────────────────────────────────────────────────────

const configuration = async () => {
  if (fs.existsSync(at(".env"))) process.loadEnvFile(at(".env"));
  if (!process.env.NODE_ENV) process.env.NODE_ENV = "production";
  const { InvalidConfig, readConfig } = await tsImport("./app/platform/env.server.ts", import.meta.url);
  try {
    return readConfig(process.env);
  } catch (error) {
    throw error instanceof InvalidConfig ? new Trouble(error.message) : error;
  }
};

const loadBuild = async () => {
  const file = at("build", "server", "index.js");
  if (!fs.existsSync(file))
    throw new Trouble('There is no build: run "npm run build" first, or "npm start", which does.');
  return import(pathToFileURL(file).href);
};

const embeddedDatabase = async ({ dataDir }, closers) => {
  const starting = startPostgres({ dataDir: path.resolve(root, dataDir, "postgres"), report: say });
  closers.add({
    limitMs: stopLimitsMs.database,
    close: async () => {
      await (await starting.catch(() => null))?.stop();
      return [];
    },
    whenLate: () => ["the embedded PostgreSQL"],
  });
  const server = await starting;
  await ensureDatabase(server, "service");
  return server.url("service");
};

const bringUpToDate = async (url) => {
  const { migrate } = await tsImport("./drizzle/migrate.ts", import.meta.url);
  try {
    await migrate(url);
  } catch (error) {
    const cause = connectionFailure(error);
    if (cause === null) throw error;
    const { host, pathname } = new URL(url);
    throw new Trouble(
      `The database at ${host}${pathname} cannot be used: ${cause.message || cause.code}. ` +
        "Check DATABASE_URL and that the server runs, or unset it to use the embedded PostgreSQL.",
    );
  }
};

/** Unreachable (ECONNREFUSED, CONNECT_TIMEOUT …), not let in (28…), no such database (3D000), shutting down (57P0x). */
const connectionFailure = (error) => {
  for (let cause = error; cause instanceof Error; cause = cause.cause ?? cause.errors?.[0]) {
    if (/^(E[A-Z]{3,}|CONNECT|CONNECTION_|28|3D000|57P0)/.test(cause.code ?? "")) return cause;
  }
  return null;
};

const seedDemo = async (databaseUrl, appUrl) => {
  const { reportToTerminal, seed } = await tsImport("./drizzle/seed/seed.ts", import.meta.url);
  return seed(databaseUrl, reportToTerminal, appUrl);
};

// ── Serving ─────────────────────────────────────────────────────────────────────────────────────────

/** Its parts in TypeScript are `app/platform/request-gate.ts` and `http-server.server.ts`. */
const httpServer = async (build, config) => {
  const [{ createHttpServer }, { isApi }] = await Promise.all([
    tsImport("./app/platform/http-server.server.ts", import.meta.url),
    tsImport("./app/platform/request-gate.ts", import.meta.url),
  ]);
  const { apiHandler, asRequest, refuseApi, refuseUnreadApi } = build.entry.module;
  const api = apiHandler(Object.values(build.routes).map(({ module }) => module));
  const pages = await pageHandler(build, config);
  const handle = (req, res) =>
    asRequest(() => {
      const answered = isApi(req.url) ? api(req, res) : pages(req, res);
      return Promise.all([answered, new Promise((resolve) => res.once("close", resolve))]);
    });
  return createHttpServer({ handle, refuseApi, refuseUnreadApi }, config);
};

/** A fault outside of loaders and actions: those are Remix's to answer. */
const failPage = (res, error) => {
  process.stderr.write(
    `${JSON.stringify({ level: "error", event: "A request failed", error: String(error?.stack ?? error) })}\n`,
  );
  if (res.headersSent) res.destroy();
  else res.status(500).type("text").send("Internal server error");
};

const pageHandler = async (build, config) => {
  const [{ default: express }, { default: compression }, { createRequestHandler }, { installGlobals }, crossSite] =
    await Promise.all([
      import("express"),
      import("compression"),
      import("@remix-run/express"),
      import("@remix-run/node"),
      tsImport("./app/platform/cross-site.ts", import.meta.url),
    ]);
  installGlobals({ nativeFetch: true });
  const client = at("build", "client");
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", config.trustedProxies);
  app.use(compression());
  // Their names change with their content.
  app.use("/assets", precompressed(at("build", "client", "assets")));
  app.use("/assets", express.static(path.join(client, "assets"), { immutable: true, maxAge: "1y", index: false }));
  app.use(express.static(client, { maxAge: "1h", index: false, redirect: false }));
  app.use(refuseCrossSite(crossSite, config), refuseDataOfOld);
  app.use(
    createRequestHandler({
      build,
      mode: process.env.NODE_ENV,
      getLoadContext: (req) => ({ remoteAddress: req.socket.remoteAddress }),
    }),
  );
  app.use((error, _req, res, _next) => {
    const status = Number(error.status ?? 500);
    if (status >= 500) failPage(res, error);
    else if (!res.headersSent) res.status(status).type("text").send("Bad request");
  });
  return app;
};

/** The brotli files that the build has put beside the assets, for those who take them. */
const precompressed = (folder) => {
  const compressed = new Set(fs.readdirSync(folder).filter((name) => name.endsWith(".br")));
  const types = { ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml" };
  return (req, res, next) => {
    const type = types[path.extname(req.path)];
    const name = `${req.path.slice(1)}.br`;
    if (type && compressed.has(name)) {
      res.vary("Accept-Encoding");
      if (req.acceptsEncodings("br")) {
        req.url = `/${name}`;
        res.setHeader("Content-Encoding", "br");
        res.setHeader("Content-Type", type);
      }
    }
    next();
  };
};

/** Remix turns them away as well, but as a fault of ours: with 500, and a line in the log. */
const refuseCrossSite =
  ({ isCrossSiteWrite, crossSiteMessage }, config) =>
  (req, res, next) => {
    if (!isCrossSiteWrite(req.method, (name) => req.get(name) ?? null, config)) next();
    else res.status(403).type("text").send(crossSiteMessage);
  };

/** No page of ours asks so; Remix answers it as a fault of ours, and complains of each. */
const refuseDataOfOld = (req, res, next) => {
  if (req.query._data === undefined) next();
  else res.status(400).type("text").send("Bad request");
};

const listen = async (server, { host, port }) => {
  // Longer than a load balancer keeps idle connections, so that it never writes into one that is just closing.
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 60_000;
  await new Promise((resolve, reject) => {
    server.once("error", (error) => reject(portTrouble(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  return `http://${host === "127.0.0.1" || host === "0.0.0.0" || host === "::" ? "localhost" : host}:${port}`;
};

/** A port that is taken shows before the database is brought up, not after. */
const probePort = async (config) => {
  const probe = createServer();
  await listen(probe, config);
  await new Promise((resolve) => probe.close(resolve));
};

const portTrouble = (error, host, port) => {
  const advice = {
    EADDRINUSE: `Port ${port} is taken by another process. Stop that one, or choose another: PORT=${port + 1} npm start`,
    EACCES: `This user may not listen on port ${port}. Choose one above 1023 with PORT, for example PORT=3000.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Correct HOST, or unset it.`,
    ENOTFOUND: `${host} is no address of this machine. Correct HOST, or unset it.`,
  }[error.code];
  return advice ? new Trouble(advice) : error;
};

const announce = (config, address, demo, lines) => {
  const site = config.appUrl.includes("//localhost") ? address : config.appUrl;
  say("");
  say(`Shipping Route Data Service  ${site}${site === address ? "" : `  (listening on ${address})`}`);
  say(`Test mode ${config.testMode ? "on: no card is charged." : "off: payments are real."}`);
  for (const line of lines) say(line);
  if (demo) {
    say("Demo login  demo@example.com / demo-harbour-2026");
    say("Operator    operator@example.com / demo-bridge-2026, at /operations");
    if (demo.demoApiKey && demo.demoRouteId) {
      const headers = `-H 'X-API-Key: ${demo.demoApiKey}' -H 'X-Username: ${demo.demoUsername ?? "demo"}'`;
      say(`Try         curl ${headers} '${address}/api/api-routes-data?id=${demo.demoRouteId}'`);
    }
  }
  say("Ready. Ctrl-C stops.");
};

// ── Stopping ────────────────────────────────────────────────────────────────────────────────────────

/** Resolves with the first SIGTERM or SIGINT. A second SIGINT ends the process at once. */
const whenToldToStop = () =>
  new Promise((resolve) => {
    let firstAt = null;
    const onSignal = (signal) => {
      if (firstAt === null) {
        firstAt = performance.now();
        resolve(signal);
      } else if (signal === "SIGINT" && performance.now() - firstAt > sameSignalMs) {
        process.exit(130);
      }
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });

try {
  await main();
  process.exit(0);
} catch (error) {
  const isExpected = error instanceof Trouble || error instanceof PostgresTrouble;
  process.stderr.write(`${isExpected ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
