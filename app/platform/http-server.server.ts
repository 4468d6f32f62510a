/**
 * node:http with what it lacks: proper responses to malformed requests, a lingering close for clients that are still
 * sending, and a graceful shutdown that leaves no request unanswered.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { droppedBytes } from "./request-body.server.ts";
import {
  expectationFailed,
  type GateSettings,
  gate,
  type HttpRefusal,
  isApi,
  methodNotAllowed,
} from "./request-gate.ts";
import { securityHeaders } from "./response-headers.ts";

export type Handlers = {
  /** Handles admitted requests. */
  handle: RequestListener;
  /** Sees every request that could be parsed, admitted or not, before it is answered. */
  observe?(req: IncomingMessage, res: ServerResponse): void;
  /** Responds to requests below `/api` that the gate refuses, with the headers and body of every API error. */
  refuseApi(refusal: HttpRefusal, req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** The same for a request that could not be parsed beyond its request line. */
  refuseUnreadApi(
    refusal: HttpRefusal,
    request: { method: string; url: string; remoteAddress: string | undefined },
  ): Promise<{ status: number; headers: Record<string, string>; body: string }>;
  /** Whether a request may take as long as it needs, while its body keeps arriving. */
  isUpload?(url: string): boolean;
};

export type HttpServer = {
  server: Server;
  /**
   * Accepts no new connections. Answers running requests and those that still arrive over open connections, and closes each
   * connection after its last response or after `silentMs` without data. After `limitMs` all are destroyed.
   *
   * @returns how many requests were not answered
   */
  drain(times: { silentMs: number; limitMs: number }): Promise<number>;
};

/** A request must arrive within this time, and an upload must make progress. */
const arrivalLimitMs = 60_000;
/** How long a client may keep sending after its response before the connection is destroyed. */
const lingerMs = 30_000;
const watchEveryMs = 100;

type Connection = {
  open: Set<ServerResponse>;
  /** The most recent request. */
  latest: IncomingMessage | null;
  bytesRead: number;
  silentSince: number;
};

export const createHttpServer = (handlers: Handlers, settings: GateSettings): HttpServer => {
  // The gate refuses a missing Host itself: node:http would answer without the API's headers.
  const server = createServer({ requireHostHeader: false });
  const connections = new Map<Duplex, Connection>();
  let draining = false;

  const admit = (req: IncomingMessage, res: ServerResponse, refused: HttpRefusal | null): void => {
    const connection = connections.get(req.socket);
    handlers.observe?.(req, res);
    if (connection) {
      connection.latest = req;
      connection.open.add(res);
      res.on("close", () => {
        connection.open.delete(res);
        connection.silentSince = performance.now();
      });
    }
    if (draining) closeAfter(res);
    if (hasBody(req)) {
      limitArrival(server, req, handlers.isUpload?.(req.url ?? "") ?? false);
      closeAfterTooLarge(req, res);
      res.once("finish", () => linger(req));
    }
    const refusal = gate(req, settings) ?? refused;
    if (!refusal) handlers.handle(req, res);
    else if (isApi(req.url ?? "")) void handlers.refuseApi(refusal, req, res);
    else writePlain(res, refusal, req.method === "HEAD");
  };

  server.on("connection", (socket) => {
    connections.set(socket, { open: new Set(), latest: null, bytesRead: 0, silentSince: performance.now() });
    socket.once("close", () => connections.delete(socket));
    lingerBeforeClosing(socket, () => connections.get(socket)?.latest ?? null);
  });
  server.on("request", (req, res) => admit(req, res, null));
  server.on("checkExpectation", (req, res) => admit(req, res, expectationFailed));
  server.on("connect", (_req, socket) => endWith(socket, plainAnswer(methodNotAllowed)));
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    const [open] = connections.get(socket)?.open ?? [];
    connections.delete(socket);
    if (!socket.writable || socket.writableEnded || open?.headersSent || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const refusal = unreadable(error.code);
    const { method, url } = open ? { method: open.req.method ?? "", url: open.req.url ?? "" } : lineOf(error.rawPacket);
    if (!isApi(url)) {
      endWith(socket, plainAnswer(refusal));
      return;
    }
    const { remoteAddress } = socket as Socket;
    handlers.refuseUnreadApi(refusal, { method, url, remoteAddress }).then(
      (answer) => endWith(socket, answer),
      () => socket.destroy(),
    );
  });

  const drain: HttpServer["drain"] = async ({ silentMs, limitMs }) => {
    const begunAt = performance.now();
    draining = true;
    for (const { open } of connections.values()) for (const res of open) closeAfter(res);
    // http.Server.close destroys idle connections at once, and with them requests that are on the way.
    NetServer.prototype.close.call(server);
    while (connections.size > 0 && performance.now() - begunAt < limitMs) {
      await new Promise((resolve) => setTimeout(resolve, watchEveryMs));
      for (const [socket, connection] of connections) {
        const { bytesRead } = socket as Socket;
        const now = performance.now();
        if (bytesRead !== connection.bytesRead) Object.assign(connection, { bytesRead, silentSince: now });
        const isSilent = now - Math.max(connection.silentSince, begunAt) >= silentMs;
        if (connection.open.size === 0 && isSilent) socket.destroy();
      }
    }
    const unanswered = [...connections.values()].reduce((sum, { open }) => sum + open.size, 0);
    server.closeAllConnections();
    return unanswered;
  };
  return { server, drain };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  "content-length" in headers || "transfer-encoding" in headers;

const closeAfter = (res: ServerResponse): void => {
  if (!res.headersSent) res.setHeader("Connection", "close");
};

/** In place of node:http's own limit, which knows no exceptions. */
const limitArrival = (server: Server, req: IncomingMessage, isUpload: boolean): void => {
  let bytesSeen = 0;
  const watch = setInterval(() => {
    const goesOn = isUpload && req.socket.bytesRead > bytesSeen;
    bytesSeen = req.socket.bytesRead;
    if (goesOn && !req.complete) return;
    clearInterval(watch);
    if (!req.complete) server.emit("clientError", tooLate, req.socket);
  }, arrivalLimitMs).unref();
  req.once("close", () => clearInterval(watch));
};

const tooLate = Object.assign(new Error("The request did not arrive in time"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

// ── Clients that are still sending ──────────────────────────────────────────────────────────────────

const closeAfterTooLarge = (req: IncomingMessage, res: ServerResponse): void => {
  const { writeHead } = res;
  res.writeHead = ((status: number, ...rest: []) => {
    if (status === 413 && !req.complete) closeAfter(res);
    return writeHead.call(res, status, ...rest);
  }) as typeof writeHead;
};

/**
 * Closing a socket with unread data resets the connection, and a client that sends before it reads may lose the response.
 * So closing waits until the request has been read to its end (a lingering close).
 */
const lingerBeforeClosing = (socket: Socket, latest: () => IncomingMessage | null): void => {
  const { destroySoon } = socket;
  socket.destroySoon = () => {
    const req = latest();
    if (!req || req.complete) {
      destroySoon.call(socket);
      return;
    }
    socket.end();
    req.once("end", () => destroySoon.call(socket));
  };
};

/** Reads and discards the rest of an answered request, within bounds. */
const linger = (req: IncomingMessage): void => {
  const { socket } = req;
  if (req.complete || socket.destroyed) return;
  req.removeAllListeners("data");
  req.removeAllListeners("readable");
  req.resume();
  const [from, begunAt] = [socket.bytesRead, performance.now()];
  const watch = setInterval(() => {
    const isOver = socket.bytesRead - from > droppedBytes || performance.now() - begunAt > lingerMs;
    if (!req.complete && isOver) socket.destroy();
    if (req.complete || socket.destroyed) clearInterval(watch);
  }, watchEveryMs).unref();
};

// ── Answers without a route ─────────────────────────────────────────────────────────────────────────

const plainAnswer = ({ status, message, headers }: HttpRefusal) => ({
  status,
  headers: {
    "Cache-Control": "no-store",
    ...headers,
    ...securityHeaders(),
    ...(message === "" ? {} : { "Content-Type": "text/plain; charset=utf-8" }),
  },
  body: message,
});

const writePlain = (res: ServerResponse, refusal: HttpRefusal, withoutBody: boolean): void => {
  const { status, headers, body } = plainAnswer(refusal);
  res.writeHead(status, { ...headers, ...(body === "" ? {} : { "Content-Length": Buffer.byteLength(body) }) });
  res.end(withoutBody ? undefined : body);
};

/** For a connection on which node:http has stopped parsing. */
const endWith = (
  socket: Duplex,
  { status, headers, body }: { status: number; headers: Record<string, string>; body: string },
): void => {
  const all = { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" };
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ];
  if (socket.writable) socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const timeout = setTimeout(() => socket.destroy(), 1_000).unref();
  socket.once("close", () => clearTimeout(timeout));
};

const unreadable = (code: string | undefined): HttpRefusal => {
  const [status, message] = unreadableAnswers[code ?? ""] ?? [400, "The request is malformed"];
  return { status, message, headers: {} };
};

const unreadableAnswers: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The body's chunk extensions are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

const lineOf = (packet: Buffer | undefined): { method: string; url: string } => {
  const [, method = "", target = ""] = /^([A-Z]+) (\S+)/.exec(packet?.toString("latin1") ?? "") ?? [];
  return { method, url: target };
};
