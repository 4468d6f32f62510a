/** Answers requests in this process. */
import { randomUUID } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { type Closers, counted } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { createHttpServer, type Handlers, type HttpServer } from "#app/platform/http-server.server.ts";
import { isApi } from "#app/platform/request-gate.ts";
import { routeTemplates } from "#app/platform/route-template.ts";
import { type Build, loadBuild } from "./build.ts";
import { listen } from "./listen.ts";
import { pageHandler } from "./pages.ts";
import { stopLimitsMs } from "./stop-limits.ts";

/** What is known once requests are answered. */
export type Serving = {
  /** To open in a browser. */
  address: string;
  /** For the operator. */
  lines: string[];
};

/**
 * @param options.schedules whether this process also runs the scheduled work
 * @param options.onService called with the build before it gets requests
 * @throws Trouble if there is no build, or the port cannot be used
 */
export const serve = async (
  config: Config,
  closers: Closers,
  options: { schedules: boolean; onService?: (service: Build["entry"]["module"]) => void },
): Promise<Serving> => {
  const build = await loadBuild();
  const service = build.entry.module;
  closers.add({
    limitMs: stopLimitsMs.service,
    close: async () => {
      await service.stop();
      return [];
    },
    whenLate: () => counted(service.unfinished().jobs, "job"),
  });
  options.onService?.(service);
  await service.observe();
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
  const { lines } = await service.ready(options);
  return { address, lines };
};

/** `/api` goes to the API directly, everything else to Remix. */
const httpServer = (build: Build, config: Config): HttpServer => {
  const { apiHandler, asRequest, observeRequest, refuseApi, refuseUnreadApi, tracedRequest } = build.entry.module;
  const api = apiHandler(Object.values(build.routes).flatMap((route) => route?.module ?? []));
  const pages = pageHandler(build, config);
  const templateOf = routeTemplates(build.routes);
  const handle: RequestListener = (req, res) => {
    const isForApi = isApi(req.url ?? "");
    // The API makes its IDs itself, as its request log needs them to contain the time.
    const origin = { requestId: isForApi ? null : randomUUID(), job: null };
    const answer = () => {
      return untilClosed(isForApi ? api(req, res) : pages(req, res), res);
    };
    void tracedRequest(req, res, { routeOf: (url) => routeOf(templateOf, url), origin }, () =>
      asRequest(answer, undefined, origin),
    );
  };
  const observe: Handlers["observe"] = (req, res) => observeRequest(req, res, (url) => routeOf(templateOf, url));
  return createHttpServer({ handle, observe, refuseApi, refuseUnreadApi, isUpload }, config);
};

/** Resolves once the request is answered and the response is sent, or its client has left. */
const untilClosed = (answered: unknown, res: ServerResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    let left = 2;
    const oneDone = () => {
      left -= 1;
      if (left === 0) resolve();
    };
    res.on("close", oneDone);
    Promise.resolve(answered).then(oneDone, reject);
  });

/** Files of the build are no routes. */
const routeOf = (templateOf: (url: string) => string, url: string): string =>
  url.startsWith("/assets/") ? "/assets/{file}" : templateOf(url);

/** Where operators upload files of any size. Others are refused before the file is read. */
const isUpload = (url: string): boolean => /^\/operations\/import(\/upload)?(\?|$)/.test(url);
