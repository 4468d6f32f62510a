import type { RequestListener } from "node:http";
import { type Closers, counted } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { createHttpServer, type HttpServer } from "#app/platform/http-server.server.ts";
import { isApi } from "#app/platform/request-gate.ts";
import { announcement } from "./announce.ts";
import { type Build, loadBuild } from "./build.ts";
import { pathInCheckout } from "./checkout.ts";
import { migrateDatabase, seedDemo, startEmbeddedDatabase } from "./database.ts";
import { listen, probePort } from "./listen.ts";
import { pageHandler } from "./pages.ts";
import { keptSecretsKey } from "./secrets-key.ts";

/** Together less than 25 seconds: many supervisors kill after 30. */
const stopLimitsMs = { requests: 11_000, service: 6_000, database: 6_000 };

const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Starts the service, from the database to the last line of the announcement.
 *
 * @param closers gets everything that was started, so that a start that fails or is interrupted closes it too
 * @throws Trouble, PostgresTrouble
 */
export const start = async (config: Config, closers: Closers): Promise<void> => {
  const build = await loadBuild();
  await probePort(config);
  const databaseUrl =
    config.databaseUrl ?? (await startEmbeddedDatabase(config, closers, { limitMs: stopLimitsMs.database, log }));
  // The build reads its settings from the environment.
  process.env.DATABASE_URL = databaseUrl;
  if (config.secretsKey === null) process.env.SECRETS_KEY = keptSecretsKey(pathInCheckout(config.dataDir));
  await migrateDatabase(databaseUrl);
  const demo = config.testMode ? await seedDemo(databaseUrl, config.appUrl) : null;

  const service = build.entry.module;
  closers.add({
    limitMs: stopLimitsMs.service,
    close: async () => {
      await service.stop();
      return [];
    },
    whenLate: () => counted(service.unfinished().jobs, "job"),
  });
  const { server, drain } = httpServer(build, config);
  const address = await listen(server, config);
  closers.add({
    limitMs: stopLimitsMs.requests + 1_000,
    close: async () => {
      service.stopping();
      return counted(await drain({ silentMs: 1_000, limitMs: stopLimitsMs.requests }), "request");
    },
    whenLate: () => ["requests"],
  });
  const { lines } = await service.ready();
  for (const line of announcement(config, address, demo, lines)) log(line);
};

/** `/api` goes to the API directly, everything else to Remix. */
const httpServer = (build: Build, config: Config): HttpServer => {
  const { apiHandler, asRequest, refuseApi, refuseUnreadApi } = build.entry.module;
  const api = apiHandler(Object.values(build.routes).flatMap((route) => route?.module ?? []));
  const pages = pageHandler(build, config);
  const handle: RequestListener = (req, res) => {
    void asRequest(() => {
      const answered = isApi(req.url ?? "") ? api(req, res) : pages(req, res);
      return Promise.all([answered, new Promise((resolve) => res.once("close", resolve))]);
    });
  };
  return createHttpServer({ handle, refuseApi, refuseUnreadApi, isUpload }, config);
};

/** Where operators upload files of any size. Others are refused before the file is read. */
const isUpload = (url: string): boolean => /^\/operations\/import(\/upload)?(\?|$)/.test(url);
