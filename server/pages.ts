/** Everything but the API: static files, and Remix's pages and resource routes, behind Express. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import type { RequestListener } from "node:http";
import path from "node:path";
import { createRequestHandler } from "@remix-run/express";
import { installGlobals } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorHandler, type Handler, type Response } from "express";
import { crossSiteMessage, isCrossSiteWrite } from "#app/platform/cross-site.ts";
import type { Config } from "#app/platform/env.server.ts";
import { statusOf } from "#app/platform/refusal-status.ts";
import type { Build } from "./build.ts";
import { pathInCheckout } from "./checkout.ts";
import { answerWithPage, type FailurePage } from "./failure-page.ts";
import { perSection } from "./sections.ts";

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
  app.use("/assets", express.static(assets, { immutable: true, maxAge: "1y", index: false, redirect: false }));
  app.use(onlyFor(fs.readdirSync(client), express.static(client, { maxAge: "1h", index: false, redirect: false })));
  app.use("/alerts/stop", acceptFromAnySite);
  app.use(refuseCrossSite(build, config), refuseLegacyDataRequests(build), refuseUndecodable(build));
  const remixFor = perSection(build, (part) =>
    createRequestHandler({
      build: part,
      ...(process.env.NODE_ENV === undefined ? {} : { mode: process.env.NODE_ENV }),
      getLoadContext: (req, res) => ({ remoteAddress: req.socket.remoteAddress, drained: drainedBy(res) }),
    }),
  );
  // It passes its errors to `next` and never rejects.
  app.use(((req, res, next) => void remixFor(req.originalUrl)(req, res, next)) satisfies Handler);
  app.use(answerFailure(build));
  return app;
};

/** The log and the request ID are those of the build: it has its own instances of these modules, and knows the request around a call. */
const requestIdIn = (build: Build): string => build.entry.module.currentOrigin()?.requestId ?? randomUUID();

/** Waits until the response takes more, or is over. Remix itself does not wait. */
const drainedBy = (res: Response): (() => Promise<void>) => {
  let full = false;
  const { write } = res;
  res.write = ((...args: Parameters<typeof write>) => {
    full = !write.apply(res, args);
    return !full;
  }) as typeof write;
  res.on("drain", () => {
    full = false;
  });
  return async () => {
    if (!full || res.closed) return;
    await new Promise<void>((resolve) => res.once("drain", resolve).once("close", resolve));
  };
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

/** Addresses of pages are not looked for on the disk. @param names files and folders in the root of the site */
const onlyFor = (names: readonly string[], files: Handler): Handler => {
  const known = new Set(names);
  return (req, res, next) => (known.has(req.path.split("/")[1] ?? "") ? files(req, res, next) : next());
};

/**
 * One-click stop (RFC 8058) comes from mail programs on any site, some of which send an `Origin`. The address has the
 * token that is the proof, and no cookie is read.
 */
const acceptFromAnySite: Handler = (req, _res, next) => {
  delete req.headers.origin;
  delete req.headers["sec-fetch-site"];
  next();
};

/** The portal's actions check this too. Without this check Remix refuses a foreign `Origin` first, with 500 and a log line. */
const refuseCrossSite =
  (build: Build, config: Pick<Config, "appUrl" | "trustedProxies">): Handler =>
  (req, res, next) => {
    if (!isCrossSiteWrite(req.method, (name) => req.get(name) ?? null, config)) return next();
    build.entry.module.logSecurityEvent("cross_site.refused", null);
    answerWithPage(req, res, {
      status: statusOf.forbidden,
      title: crossSiteMessage,
      text: "We rejected it to protect your account; nothing was changed. Open the page on this site and send the form again.",
      // A path that begins with two slashes would be another site's address.
      next: { label: "Open the page", to: req.path.replace(/^[/\\]+/, "/") },
      requestId: requestIdIn(build),
    });
  };

/** The app's own scripts never send `_data`. Remix would answer it as an error of ours, and log each. */
const refuseLegacyDataRequests =
  (build: Build): Handler =>
  (req, res, next) => {
    if (req.query._data === undefined) next();
    else answerWithPage(req, res, badRequest(requestIdIn(build)));
  };

/** Remix would write the path to standard error, which is for lines of JSON. */
const refuseUndecodable =
  (build: Build): Handler =>
  (req, res, next) => {
    try {
      decodeURI(req.path);
    } catch {
      return answerWithPage(req, res, badRequest(requestIdIn(build)));
    }
    next();
  };

/** Failures outside loaders and actions, such as a malformed path. Remix handles the others itself. */
const answerFailure =
  (build: Build): ErrorHandler =>
  (error, req, res, _next) => {
    const status = statusOfError(error);
    const requestId = requestIdIn(build);
    if (status >= 500) build.entry.module.log.error("A request failed", { request_id: requestId }, error);
    if (!res.headersSent)
      answerWithPage(req, res, { ...(status >= 500 ? internalError : badRequest)(requestId), status });
    else if (status >= 500) res.destroy();
  };

const badRequest = (requestId: string): FailurePage => ({
  status: statusOf.malformed,
  title: "Bad request",
  text: "The address is not one of ours, or is incomplete. Check it, or start from the home page.",
  next: { label: "Home page", to: "/" },
  requestId,
});

const internalError = (requestId: string): FailurePage => ({
  status: 500,
  title: "Internal server error",
  text: "We have recorded the error. Try again in a minute. If it happens again, send us the request ID.",
  next: { label: "Home page", to: "/" },
  requestId,
});

const statusOfError = (error: unknown): number =>
  error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : 500;
