/**
 * A load generator over plain sockets: each connection sends a request, reads the whole response and sends the next one.
 * It does little else, so that it measures the server's work and not its own. It connects to this machine only.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Target = {
  /** On 127.0.0.1. */
  port: number;
  /** Depends on the number of the request where callers read what is their own. */
  path: string | ((request: number) => string);
  /** Depends on the number of the request, so that callers can take turns. */
  headers: (request: number) => Record<string, string>;
  /** JSON, sent by POST. */
  body?: string;
};

export type Limits = {
  connections: number;
  seconds: number;
  mostRequests: number;
  /** Each connection sends a request at most this often. Default: as soon as it has the previous response. */
  everyMs?: number;
};

export type Measurement = { perSecond: number; p50Ms: number; p95Ms: number; p99Ms: number; requests: number };

/** @throws Error at the first response that is not 200: errors are fast and would distort the result */
export const load = async (
  target: Target,
  { connections, seconds, mostRequests, everyMs = 0 }: Limits,
): Promise<Measurement> => {
  const durationsMs: number[] = [];
  const opened = await Promise.all(Array.from({ length: connections }, () => open(target.port)));
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  let sent = 0;
  const work = async (connection: Connection) => {
    while (performance.now() < deadline && sent < mostRequests) {
      const sentAt = performance.now();
      const { status, head } = await connection.ask(requestText(target, sent++));
      if (status !== 200) throw new Error(`${pathOf(target, 0)} was answered ${status}:\n${head}`);
      const durationMs = performance.now() - sentAt;
      durationsMs.push(durationMs);
      if (durationMs < everyMs) await sleep(everyMs - durationMs);
    }
  };
  try {
    await Promise.all(opened.map(work));
  } finally {
    for (const connection of opened) connection.close();
  }
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  durationsMs.sort((a, b) => a - b);
  return {
    perSecond: durationsMs.length / elapsedSeconds,
    p50Ms: at(durationsMs, 0.5),
    p95Ms: at(durationsMs, 0.95),
    p99Ms: at(durationsMs, 0.99),
    requests: durationsMs.length,
  };
};

/** The body of one response. */
export const fetchBody = async (target: Target): Promise<Buffer> => {
  const path = pathOf(target, 0);
  const response = await fetch(`http://127.0.0.1:${target.port}${path}`, { headers: target.headers(0) });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
};

const pathOf = ({ path }: Target, request: number): string => (typeof path === "string" ? path : path(request));

const requestText = (target: Target, request: number): string => {
  const { headers, port, body } = target;
  const content = body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": `${body.length}` };
  const lines = Object.entries({ ...headers(request), ...content }).map(([name, value]) => `${name}: ${value}\r\n`);
  const method = body === undefined ? "GET" : "POST";
  const head = `${method} ${pathOf(target, request)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join("")}\r\n`;
  return `${head}${body ?? ""}`;
};

const at = (sorted: number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;

type Answer = { status: number; head: string };
type Connection = { ask(request: string): Promise<Answer>; close(): void };

const open = (port: number): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: "127.0.0.1", port, noDelay: true });
    let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
    let received: Buffer[] = [];
    const fail = (error: Error) => {
      waiting?.reject(error);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("close", () => fail(new Error("The server closed the connection")));
    socket.on("data", (chunk) => {
      received.push(chunk);
      const answer = complete(received);
      if (!answer) return;
      received = [];
      waiting?.resolve(answer);
    });
    socket.once("connect", () =>
      resolve({
        ask: (request) =>
          new Promise((resolveAnswer, rejectAnswer) => {
            waiting = { resolve: resolveAnswer, reject: rejectAnswer };
            socket.write(request);
          }),
        close: () => socket.destroy(),
      }),
    );
  });

const lastChunk = Buffer.from("0\r\n\r\n");

/** Null until the response is complete. */
const complete = (received: Buffer[]): Answer | null => {
  const [first] = received;
  const last = received.at(-1);
  if (!first || !last) return null;
  const headEnd = first.indexOf("\r\n\r\n");
  if (headEnd === -1) {
    if (received.length > 1) received.splice(0, received.length, Buffer.concat(received));
    return null;
  }
  const head = first.toString("latin1", 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const size = received.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const isWhole = length === undefined ? endsWith(last, lastChunk) : size >= headEnd + 4 + Number(length);
  return isWhole ? { status: Number(head.slice(9, 12)), head } : null;
};

const endsWith = (buffer: Buffer, ending: Buffer): boolean =>
  buffer.byteLength >= ending.byteLength && buffer.subarray(-ending.byteLength).equals(ending);
