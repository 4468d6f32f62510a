/**
 * Compares the portal's pages of an account with a lot of data, of an empty account, and an empty Remix page that sends the
 * same bytes: same build, same database, interleaved rounds. A ratio near 1 means that the data, or everything that a page
 * does beside sending its bytes, makes no difference.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../app/domain/clock.ts";
import { startService } from "../app/testing/service.ts";
import { demo } from "../drizzle/seed/demo-identity.ts";
import { fill } from "../drizzle/seed/fill.ts";
import { machineInWords, middleHalfOf, type Spread, spreadInWords, table, writeResults } from "./results.ts";
import { newCustomer, openStage, print, withoutDemo } from "./stage.ts";

const filling = { subscriptions: 60, logs: 1_000_000 };
const rounds = 41;
/** Code that has run only a few times is several times slower. */
const warmUpRounds = 60;

export const run = async (): Promise<void> => {
  const stage = await openStage();
  try {
    print(`Filling the demo's account: ${filling.subscriptions} subscriptions, ${filling.logs} requests`);
    await fill({ db: stage.ctx.db, clock: systemClock, appUrl: "http://localhost" }, demo, filling, print);
    await newCustomer(stage, "empty");
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const service = await startService({ databaseUrl: stage.databaseUrl, env: withoutDemo });
    try {
      report(await measurePages(service.url, stage.folder));
    } finally {
      await service.stop();
    }
  } finally {
    await stage.close();
  }
};

type Row = {
  page: string;
  bytes: number;
  fullMs: Spread;
  /** The full account's page to the empty account's. Null for pages of subscribers. */
  ratio: Spread | null;
  /** The full account's page to an empty Remix page with the same bytes. Null for files. */
  overBytes: Spread | null;
};

/** The stage's customer `empty`, and the demo account. */
export const measurePages = async (url: string, folder: string): Promise<Row[]> => {
  const empty = await signIn(url, { email: "empty@example.com", password: "a long enough pass phrase" });
  const full = await signIn(url, demo);
  const pages = await pagesOf(url, full);
  const texts = new Map<string, string>();
  for (const page of pages) texts.set(page, await pageText(url, page, full));
  const bare = await startEmptyPages([...texts.values()], folder);
  const measured = pages.map((page, number) => ({
    page,
    number,
    isFile: /\.(csv|json)\b/.test(page),
    isForSubscribers: page.endsWith("/charts") || page.endsWith("/schedule"),
    times: { empty: [] as number[], full: [] as number[], bare: [] as number[] },
  }));
  try {
    for (let round = 0; round < rounds + warmUpRounds; round++) {
      for (const { page, number, isForSubscribers, times } of round % 2 === 0 ? measured : measured.toReversed()) {
        const emptyMs = isForSubscribers ? null : await timeOf(url, page, empty);
        const bareMs = await timeOf(bare.url, `/${number}`, full);
        const fullMs = await timeOf(url, page, full);
        if (round < warmUpRounds) continue;
        if (emptyMs !== null) times.empty.push(emptyMs);
        times.bare.push(bareMs);
        times.full.push(fullMs);
      }
    }
  } finally {
    await bare.stop();
  }
  return measured.map(({ page, isFile, isForSubscribers, times: { empty, full, bare } }) => ({
    page: page
      .replace(/cursor=[^&]+/, "cursor=…")
      .replace(/(api_key_id=|route_id=|subscriptions\/|routes\/)\d+/, "$1…"),
    bytes: Buffer.byteLength(texts.get(page) ?? ""),
    fullMs: middleHalfOf(full),
    ratio: isForSubscribers ? null : ratios(full, empty),
    overBytes: isFile ? null : ratios(full, bare),
  }));
};

const ratios = (over: number[], under: number[]): Spread =>
  middleHalfOf(over.map((ms, round) => ms / (under[round] ?? Number.NaN)));

/** Serves each text at its number, see `empty-page.ts`. */
const startEmptyPages = async (texts: string[], folder: string) => {
  const files = texts.map((text, number) => {
    const file = path.join(folder, `page-${number}.html`);
    writeFileSync(file, text);
    return file;
  });
  const script = fileURLToPath(new URL("empty-page.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, ...files], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const [port] = await once(child.stdout, "data");
  return {
    url: `http://127.0.0.1:${Number(String(port))}`,
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
};

const signIn = async (url: string, { email, password }: { email: string; password: string }): Promise<string> => {
  const body = new URLSearchParams({ email, password });
  const answer = await fetch(`${url}/sign-in`, { method: "POST", body, redirect: "manual" });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("srds_session="));
  if (answer.status !== 302 || cookie === undefined) throw new Error(`Signing in was answered ${answer.status}`);
  return cookie.split(";")[0] ?? "";
};

const pagesOf = async (url: string, cookie: string): Promise<string[]> => {
  const logs = await pageText(url, "/usage/logs", cookie);
  const [keyId] = /(?<=name="api_key_id"[\s\S]*?value=")\d+/.exec(logs) ?? [];
  const [routeId] = /(?<=href="\/routes\/)\d+/.exec(await pageText(url, "/subscriptions", cookie)) ?? [];
  return [
    "/terms",
    "/docs",
    "/docs/reference",
    "/regions",
    "/regions/EAS",
    "/trade-lanes/EAS-NEU",
    "/routes",
    "/routes?q=rotterdam",
    "/routes?view=map",
    `/routes/${routeId}`,
    `/routes/${routeId}/charts`,
    `/routes/${routeId}/schedule`,
    "/compare?origin=CNSHA&destination=NLRTM",
    "/market",
    "/basket",
    "/watchlist",
    "/plan",
    "/support",
    "/subscriptions",
    "/api-keys",
    "/usage",
    "/usage?period=hours",
    "/usage?period=months",
    "/usage/logs",
    `/usage/logs?cursor=${await deepCursor(url, cookie)}`,
    "/usage/logs?status=429",
    "/usage/logs?status=500",
    "/usage/logs?status=401",
    "/usage/logs?endpoint=%2Fapi-usage-logs",
    "/usage/logs?endpoint=%2Fauth%2Frefresh",
    `/usage/logs?api_key_id=${keyId}`,
    `/usage/logs?route_id=${routeId}`,
    "/usage/logs?route_id=2",
    "/usage/logs.csv?status=500",
    "/billing",
    "/billing/cards",
    "/billing/statements",
    "/billing.csv",
    "/account",
    "/account/security",
    "/account/webhooks",
    "/account/export.json",
  ];
};

/** A cursor in the middle of the log: half of the year's requests are newer. */
const deepCursor = async (url: string, cookie: string): Promise<string> => {
  const to = new Date(systemClock.now().getTime() - 200 * 86_400_000).toISOString().slice(0, 16);
  const text = await pageText(url, `/usage/logs?to=${to}`, cookie);
  const [cursor] = /(?<=cursor=)[A-Za-z0-9_%=-]+/.exec(text) ?? [];
  if (cursor === undefined) throw new Error("The log has no second page");
  return cursor;
};

const pageText = async (url: string, page: string, cookie: string): Promise<string> => {
  const answer = await fetch(`${url}${page}`, { headers: { Cookie: cookie }, redirect: "follow" });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${page} was answered ${answer.status}`);
  return text;
};

/** Time to the last byte, in milliseconds. */
const timeOf = async (url: string, page: string, cookie: string): Promise<number> => {
  const startedAt = performance.now();
  await pageText(url, page, cookie);
  return performance.now() - startedAt;
};

const report = (rows: Row[]): void => {
  const result = table(
    ["page", "full ÷ empty", "full ÷ an empty Remix page of the same bytes", "KB", "full, of the slowest page"],
    rows.map(({ page, bytes, ratio, overBytes, fullMs }) => [
      page,
      ratio ? spreadInWords(ratio) : "",
      overBytes ? spreadInWords(overBytes) : "",
      String(Math.round(bytes / 1024)),
      share(fullMs.median / slowest(rows)),
    ]),
  );
  print(`\n${result}\n`);
  const page = `# The portal's pages of an account in heavy use, as ratios to those of an empty one

Median of ${rounds} interleaved rounds (the middle half of them), from the request to the last byte, one page at a time,
after ${warmUpRounds} rounds to warm up.

${result}

- ${machineInWords()}.
- The full account: ${filling.subscriptions} subscriptions beside the demo's, ${filling.logs.toLocaleString("en-US")} requests of thirteen months. To look at it: \`npm run fill\`.
- \`cursor=…\` is the page in the log's middle; the last filters of each kind find nothing.
- Pages of subscribers are not compared with the empty account, which cannot open them. Otherwise both accounts render the same page: what the full one shows more (rows, charts) is rendering, not waiting.
- The empty Remix page has no loader data, renders the bytes of the full account's page as one string, and is compressed and
  sent by the same server. What a page takes beyond it is its session, its statements and its components.`;
  writeResults("portal", { rounds, filling, rows }, page);
};

const slowest = (rows: Row[]): number => Math.max(...rows.map(({ fullMs }) => fullMs.median));

const share = (part: number): string => `${Math.round(part * 100)}%`;
