import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Stage } from "../stage/stage.ts";
import type { Note, Scenario } from "./scenario.ts";

const served: Scenario["during"] = { read: "served", order: "served", confirm: "served", health: "served" };

const openSockets = async (stage: Stage, count: number): Promise<Socket[]> => {
  const sockets = Array.from({ length: count }, (_, index) => {
    const { hostname, port } = new URL(stage.urlOf(index % stage.services.length));
    return connect({ host: hostname, port: Number(port) }).on("error", () => {});
  });
  await Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, "connect").catch(() => {}) : null)));
  return sockets;
};

/** The process has given back the connections, and what else it had open for them. */
const isReleased = async (stage: Stage, note: Note, most: number): Promise<void> => {
  if (process.platform !== "linux") return;
  const open = () => Math.max(...stage.services.map(({ pid }) => readdirSync(`/proc/${pid}/fd`).length));
  for (let tries = 0; tries < 300; tries++, await wait(100)) if (open() <= most) return;
  note.violation(`A process still has ${open()} files and connections open`);
};

/** Connections of its own to the database and others, and those of the load. */
const usuallyOpen = 120;

let sockets: Socket[] = [];
let timer: NodeJS.Timeout | undefined;
const leave = () => {
  clearInterval(timer);
  for (const socket of sockets.splice(0)) socket.destroy();
};

/** How many connections the service has closed, before the clients leave. */
const countClosed: Scenario["end"] = (_, note) => {
  const closed = sockets.filter(({ readableEnded, destroyed }) => readableEnded || destroyed);
  note.count("connections that the service had closed by then", closed.length);
  leave();
};

const slowHead = "GET /api/route-access/all-routes HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
const slowBody =
  "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n";

export const clientScenarios: Scenario[] = [
  {
    name: "200 slow clients send a byte at a time",
    isShort: true,
    lasts: { short: 2_000, long: 75_000 },
    during: served,
    begin: async (stage) => {
      sockets = await openSockets(stage, 200);
      for (const [index, socket] of sockets.entries()) socket.write(index % 2 === 0 ? slowHead : slowBody);
      timer = setInterval(() => {
        for (const socket of sockets) if (!socket.destroyed) socket.write("a");
      }, 500);
    },
    end: countClosed,
    check: (stage, note) => isReleased(stage, note, usuallyOpen),
  },
  {
    name: "300 clients connect and send nothing",
    isShort: true,
    lasts: { short: 1_000, long: 75_000 },
    during: served,
    begin: async (stage) => {
      sockets = await openSockets(stage, 300);
      for (const socket of sockets) socket.resume();
    },
    end: countClosed,
    check: (stage, note) => isReleased(stage, note, usuallyOpen),
  },
  {
    name: "100 clients leave in the middle of their request's body",
    isShort: true,
    lasts: { short: 500, long: 5_000 },
    during: served,
    begin: async (stage, note) => {
      const errorsBefore = errorLines(stage);
      // Not one of those at work: half a request counts against its account's limit as well.
      const { bearer } = await stage.customers.anotherBuyer();
      const body = JSON.stringify({ api_key_name: "Half a request", user: "nobody" });
      const head = [
        "POST /api/api-keys/generate HTTP/1.1",
        "Host: localhost",
        `Authorization: ${bearer.Authorization}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
      ].join("\r\n");
      for (const socket of await openSockets(stage, 100)) {
        socket.write(`${head}\r\n\r\n${body.slice(0, body.length / 2)}`, () => socket.destroy());
      }
      await wait(500);
      const [row] = await stage.sql<
        { count: number }[]
      >`select count(*)::int as count from api_keys where name = 'Half a request'`;
      if (row?.count !== 0) note.violation(`${row?.count} keys were made from half a request`);
      const errors = errorLines(stage) - errorsBefore;
      if (errors > 0) note.violation(`The service logged ${errors} errors because clients had left`);
    },
    end: () => {},
    check: (stage, note) => isReleased(stage, note, usuallyOpen),
  },
];

const errorLines = (stage: Stage): number =>
  stage.services.reduce((sum, { output }) => sum + output().split('"level":"error"').length - 1, 0);
