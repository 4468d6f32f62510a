/** Everything but the API: static files, and Remix's pages and resource routes, behind Express. */
import fs from "node:fs";
import type { RequestListener } from "node:http";
import path from "node:path";
import { createRequestHandler } from "@remix-run/express";
import { installGlobals } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorHandler, type Handler, type Response } from "express";
import { crossSiteMessage, isCrossSiteWrite } from "#app/platform/cross-site.ts";
import type { Config } from "#app/platform/env.server.ts";
import { jsonLog } from "#app/platform/log.server.ts";
import { statusOf } from "#app/platform/refusal-status.ts";
import type { Build } from "./build.ts";
import { pathInCheckout } from "./checkout.ts";

export const pageHandler = (build: Build, config: Pick<Config, "appUrl" | "trustedProxies">): RequestListener => {
  installGlobals({ nativeFetch: true });
  const client = pathInCheckout("build", "client");
  const assets = path.join(client, "assets");
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", config.trustedProxies);
  app.use(compression());
  // The names of assets change with their content.
  app.use("/assets", precompressed(assets));
  app.use("/assets", express.static(assets, { immutable: true, maxAge: "1y", index: false }));
  app.use(express.static(client, { maxAge: "1h", index: false, redirect: false }));
  app.use(refuseCrossSite(config), refuseLegacyDataRequests);
  const remix = createRequestHandler({
    build,
    ...(process.env.NODE_ENV === undefined ? {} : { mode: process.env.NODE_ENV }),
    getLoadContext: (req) => ({ remoteAddress: req.socket.remoteAddress }),
  });
  // It passes its errors to `next` and never rejects.
  app.use(((req, res, next) => void remix(req, res, next)) satisfies Handler);
  app.use(answerFailure);
  return app;
};

/** Serves the brotli files that the build has written beside the assets, to clients that accept them. */
const precompressed = (folder: string): Handler => {
  const compressed = new Set(fs.readdirSync(folder).filter((name) => name.endsWith(".br")));
  const types: Record<string, string> = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
  };
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

/** The portal's actions check this too. Without this check Remix refuses a foreign `Origin` first, with 500 and a log line. */
const refuseCrossSite =
  (config: Pick<Config, "appUrl" | "trustedProxies">): Handler =>
  (req, res, next) => {
    if (isCrossSiteWrite(req.method, (name) => req.get(name) ?? null, config))
      answer(res, statusOf.forbidden, crossSiteMessage);
    else next();
  };

/** The app's own scripts never send `_data`. Remix would answer it as an error of ours, and log each. */
const refuseLegacyDataRequests: Handler = (req, res, next) => {
  if (req.query._data === undefined) next();
  else answer(res, statusOf.malformed, "Bad request");
};

/** Failures outside loaders and actions, such as a malformed path. Remix handles the others itself. */
const answerFailure: ErrorHandler = (error, _req, res, _next) => {
  const status = statusOfError(error);
  if (status >= 500) jsonLog().error("A request failed", {}, error);
  if (!res.headersSent) answer(res, status, status >= 500 ? "Internal server error" : "Bad request");
  else if (status >= 500) res.destroy();
};

const statusOfError = (error: unknown): number =>
  error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : 500;

const answer = (res: Response, status: number, message: string): void => {
  res.status(status).type("text").send(message);
};
