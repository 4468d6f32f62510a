import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { startPostgres } from "./start.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "major-version-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("refuses the data of another major version, says what to do, and leaves the data alone", async () => {
  const dataDir = path.join(folder, "postgres");
  mkdirSync(dataDir);
  writeFileSync(path.join(dataDir, "PG_VERSION"), "17\n");
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    /is that of PostgreSQL 17\. This release has PostgreSQL 18.*npm run backup.*mv .*postgres .*postgres-17\n.*npm run restore/s,
  );
  expect(readdirSync(dataDir)).toEqual(["PG_VERSION"]);
  expect(readFileSync(path.join(dataDir, "PG_VERSION"), "utf8")).toBe("17\n");
});
