import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { ask } from "../stage/ask.ts";
import type { Stage } from "../stage/stage.ts";
import type { Scenario } from "./scenario.ts";

const away: Scenario["during"] = {
  read: "unavailable",
  order: "unavailable",
  confirm: "either",
  health: "unavailable",
};

/** Requests of the API are counted in the database, so with a full disk they fail even if they only read. */
const pagesThatOnlyRead = ["/routes", "/status", "/hooks/health/ready"];

export const postgresScenarios: Scenario[] = [
  {
    name: "PostgreSQL is stopped",
    isShort: true,
    lasts: { short: 1_000, long: 15_000 },
    during: away,
    begin: ({ postgres: server }) => server.stop(),
    end: ({ postgres: server }) => server.start(),
  },
  {
    name: "PostgreSQL is frozen: it accepts and answers nothing",
    isShort: true,
    lasts: { short: 1_000, long: 20_000 },
    during: away,
    begin: ({ postgres: server }) => server.freeze(),
    end: ({ postgres: server }) => server.thaw(),
  },
  {
    name: "PostgreSQL crashes in the middle of purchases, and starts again",
    isShort: true,
    lasts: { short: 0, long: 5_000 },
    during: { read: "either", order: "either", confirm: "either", health: "either" },
    begin: async (stage, note) => {
      const waiting = await holdPurchases(stage);
      note.count("purchases in the middle of their transaction", waiting);
      if (waiting === 0) note.violation("No purchase was in the middle of its transaction");
    },
    end: ({ postgres: server }) => server.start(),
  },
  {
    name: "The disk of PostgreSQL is full",
    isShort: true,
    lasts: { short: 1_500, long: 20_000 },
    during: { read: "either", order: "either", confirm: "either", health: "either" },
    missing: ({ postgres: server }) => server.cannotFill,
    begin: async (stage, note) => {
      stage.postgres.fill();
      // Rows still fit into pages that are there already.
      const isFull = () => note.answers().some(({ status, retryAfter }) => status === 503 && retryAfter === "60");
      for (let tries = 0; tries < 600 && !isFull(); tries++) await wait(100);
      if (!isFull()) note.violation("No answer said that the disk is full");
      for (const page of pagesThatOnlyRead) {
        const { status } = await ask(stage.urlOf(0) + page);
        if (status !== 200) note.violation(`${page} only reads, but was answered with ${status}`);
      }
      note.count("health check meanwhile", (await ask(`${stage.urlOf(0)}/hooks/health`)).text.slice(0, 60));
    },
    end: ({ postgres: server }) => server.empty(),
  },
];

/** Crashes the server while purchases have written a part of what they write. @returns how many */
const holdPurchases = async (stage: Stage): Promise<number> => {
  const holder = postgres(stage.postgres.url("service"), { max: 1, onnotice: () => {} });
  const waiting = async () => {
    const [row] = await holder<{ count: number }[]>`
      select count(*)::int as count from pg_locks where relation = 'paid_terms'::regclass and not granted`;
    return row?.count ?? 0;
  };
  let found = 0;
  await holder.unsafe("begin; lock table paid_terms in share row exclusive mode");
  // They give up after some seconds, and others come.
  for (let tries = 0; tries < 1_000 && found === 0; tries++, await wait(20)) found = await waiting();
  await stage.postgres.crash();
  await holder.end({ timeout: 0 });
  return found;
};
