/**
 * Compares the portal's pages of an account with a lot of data and of an empty account: same build, same database,
 * interleaved rounds. A ratio near 1 means that the data makes no difference.
 */
import { systemClock } from "../app/domain/clock.ts";
import { startService } from "../app/testing/service.ts";
import { demo } from "../drizzle/seed/demo-account.ts";
import { fill } from "../drizzle/seed/fill.ts";
import { machineInWords, type Spread, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { newCustomer, openStage, print } from "./stage.ts";

const filling = { subscriptions: 60, logs: 1_000_000 };
const rounds = 9;
const warmUpRounds = 2;

export const run = async (): Promise<void> => {
  const stage = await openStage();
  try {
    print(`Filling the demo's account: ${filling.subscriptions} subscriptions, ${filling.logs} requests`);
    await fill({ db: stage.ctx.db, clock: systemClock, appUrl: "http://localhost" }, demo, filling, print);
    await newCustomer(stage, "empty");
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const service = await startService({ databaseUrl: stage.databaseUrl });
    try {
      report(await measurePages(service.url));
    } finally {
      await service.stop();
    }
  } finally {
    await stage.close();
  }
};

type Row = { page: string; emptyMs: Spread; fullMs: Spread; ratio: Spread };

/** The stage's customer `empty`, and the demo account. */
export const measurePages = async (url: string): Promise<Row[]> => {
  const empty = await signIn(url, { email: "empty@example.com", password: "a long enough pass phrase" });
  const full = await signIn(url, demo);
  const pages = await pagesOf(url, full);
  const measured = new Map(pages.map((page) => [page, { empty: [] as number[], full: [] as number[] }]));
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const page of round % 2 === 0 ? pages : pages.toReversed()) {
      const emptyMs = await timeOf(url, page, empty);
      const fullMs = await timeOf(url, page, full);
      if (round < warmUpRounds) continue;
      measured.get(page)?.empty.push(emptyMs);
      measured.get(page)?.full.push(fullMs);
    }
  }
  return [...measured].map(([page, { empty, full }]) => ({
    page: page.replace(/cursor=[^&]+/, "cursor=…").replace(/(api_key_id|route_id|subscriptions\/)=?\d+/, "$1…"),
    emptyMs: spreadOf(empty),
    fullMs: spreadOf(full),
    ratio: spreadOf(full.map((ms, round) => ms / (empty[round] ?? Number.NaN))),
  }));
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
    "/routes",
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
    "/billing.csv",
    "/account",
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
    ["page", "full ÷ empty", "full, of the slowest page"],
    rows.map(({ page, ratio, fullMs }) => [page, spreadInWords(ratio), share(fullMs.median / slowest(rows))]),
  );
  print(`\n${result}\n`);
  const page = `# The portal's pages of an account in heavy use, as ratios to those of an empty one

Median of ${rounds} interleaved rounds (smallest–largest of them), from the request to the last byte, one page at a time.

${result}

- ${machineInWords()}.
- The full account: ${filling.subscriptions} subscriptions beside the demo's, ${filling.logs.toLocaleString("en-US")} requests of thirteen months. To look at it: \`npm run fill\`.
- \`cursor=…\` is the page in the log's middle; the last filters of each kind find nothing.
- Both accounts render the same page: what the full one shows more (rows, charts) is rendering, not waiting.`;
  writeResults("portal", { rounds, filling, rows }, page);
};

const slowest = (rows: Row[]): number => Math.max(...rows.map(({ fullMs }) => fullMs.median));

const share = (part: number): string => `${Math.round(part * 100)}%`;
