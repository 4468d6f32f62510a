/** The built service is killed while it checks and while it applies a file of 200,000 reports. */
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "../../testing/service.ts";
import { systemClock } from "../clock.ts";

const rows = 200_000;
const operator = { email: "operator@example.com", password: "demo-bridge-2026" };

const routeCode = "C-CNSHA-NLRTM-PEL9";

/** The one that is running. The first one owns the database. */
let service: Service;
let first: Service;
let sql: postgres.Sql;
let cookie: string;

beforeAll(async () => {
  first = await startService();
  service = first;
  sql = postgres(first.databaseUrl, { max: 2, onnotice: () => {} });
  await signIn();
});
afterAll(async () => {
  await sql.end();
  if (service !== first) await service.stop();
  await first.stop();
});

const signIn = async (): Promise<void> => {
  const form = { method: "POST", body: new URLSearchParams(operator), redirect: "manual" } as const;
  const answer = await fetch(`${service.url}/sign-in`, form);
  const set = answer.headers.getSetCookie().find((each) => each.startsWith("srds_session="));
  cookie = set?.split(";", 1)[0] ?? "";
};

/** Every tenth of a second backwards from now, at milliseconds that no report of the demo has. */
const file = (): Blob => {
  const now = Math.floor(systemClock.now().getTime() / 1000) * 1000;
  const data = { service_level: "standard", equipment_type: "45G1", currency: "USD", basis: "per_container" };
  const lines = Array.from({ length: rows }, (_, i) =>
    JSON.stringify({
      route_code: routeCode,
      report_type: "rate",
      observed_at: new Date(now - i * 100 - 7).toISOString(),
      external_id: `${ownId}${i}`,
      data: { ...data, base_rate: 4000 + (i % 1000) },
    }),
  );
  return new Blob([lines.join("\n")]);
};
const ownId = "killed-";
const countReports = async (): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from reports where starts_with(external_id, ${ownId})`;
  return row?.count ?? 0;
};

/** @returns the path of the import's page */
const upload = async (): Promise<string> => {
  const body = new FormData();
  body.append("file", file(), "reports.jsonl");
  const headers = { Cookie: cookie };
  const answer = await fetch(`${service.url}/operations/import/upload`, { method: "POST", body, headers });
  const { result, problem } = (await answer.json()) as { result: string | null; problem: unknown };
  if (result === null) throw new Error(`The upload was refused: ${JSON.stringify(problem)}`);
  return result;
};

const startApplying = async (path: string): Promise<void> => {
  const body = new URLSearchParams({ intent: "apply" });
  await fetch(service.url + path, { method: "POST", body, headers: { Cookie: cookie }, redirect: "manual" });
};

const untilPageSays = async (path: string, text: string): Promise<void> => {
  const page = async () => (await fetch(service.url + path, { headers: { Cookie: cookie } })).text();
  while (!(await page()).includes(text)) await pause(200);
};

const importOf = async (path: string) => {
  const [row] = await sql<{ status: string; rowsDone: number }[]>`
    select status, rows_done as "rowsDone" from catalogue_imports where id = ${path.split("/").at(-1) ?? ""}`;
  return row;
};

const stagingTables = async (): Promise<string[]> => {
  const found = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relname ~ '^import_rows_' order by relname`;
  return found.map(({ name }) => name);
};

/** Kills the service in the middle of the work, which cannot end while the lock is held. */
const killDuring = async <Result>(lock: string, work: () => Promise<Result>): Promise<Result> => {
  const session = await sql.reserve();
  await session.unsafe(`begin; ${lock}`);
  const result = await work();
  await service.terminate("SIGKILL");
  await session`rollback`;
  session.release();
  // The dead process's sessions end when PostgreSQL notices that nobody reads its answers.
  const sessions = () => sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'shipping-route-data-service'`;
  while ((await sessions()).length > 0) await pause(50);
  return result;
};

/** Starts the service again, and lets a night pass. */
const startOnTheNextDay = async (): Promise<void> => {
  service = await startService({ databaseUrl: first.databaseUrl });
  const clock = `${service.url}/test-mode/clock`;
  const headers = { "Content-Type": "application/json" };
  await fetch(clock, { method: "POST", headers, body: JSON.stringify({ advance_days: 1 }) });
  const isMoving = async () => ((await (await fetch(clock)).json()) as { moving: unknown }).moving !== null;
  while (await isMoving()) await pause(100);
  // An operator's session ends after half a day.
  await signIn();
};

const limits = { timeout: 300_000 };

describe("A service that is killed", limits, () => {
  it("while it checks a file leaves the catalogue as it was, an interrupted import, and no rows for long", async () => {
    const path = await killDuring("lock table reports in access exclusive mode", async () => {
      const uploaded = await upload();
      expect(await importOf(uploaded)).toEqual({ status: "checking", rowsDone: rows });
      return uploaded;
    });
    expect(await countReports()).toBe(0);
    expect(await stagingTables()).toHaveLength(1);
    await startOnTheNextDay();
    await untilPageSays(path, "The check was interrupted");
    expect(await stagingTables()).toEqual([]);
  });

  it("while it applies a file writes nothing of it, and the file can be applied again", async () => {
    const path = await upload();
    await untilPageSays(path, "Ready to apply");
    // Reports can be written, but their route gets no new version.
    await killDuring(`select from routes where code = '${routeCode}' for no key update`, async () => {
      await startApplying(path);
      while ((await importOf(path))?.rowsDone === 0) await pause(50);
      expect(await importOf(path)).toMatchObject({ status: "applying" });
    });
    expect(await countReports()).toBe(0);
    await startOnTheNextDay();
    await untilPageSays(path, "Ready to apply");
    expect(await stagingTables()).toHaveLength(1);
    await startApplying(path);
    await untilPageSays(path, "See the routes");
    expect(await countReports()).toBe(rows);
    expect(await stagingTables()).toEqual([]);
  });
});
