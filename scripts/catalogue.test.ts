import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../app/domain/clock.ts";
import { dayOf } from "../app/domain/dates.ts";
import { cloneDatabase } from "../app/testing/database.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const run = (...args: string[]) =>
  new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: database.url };
    const command = [path.join(root, "scripts/catalogue.ts"), ...args];
    execFile(path.join(root, "node_modules/.bin/tsx"), command, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output: stdout, errors: stderr }),
    );
  });

/** Runs a command line of the documentation in a shell. */
const runInShell = (commandLine: string) =>
  new Promise<string>((resolve, reject) => {
    const command = commandLine.replace("npm run catalogue --", "node_modules/.bin/tsx scripts/catalogue.ts");
    const env = { ...process.env, DATABASE_URL: database.url };
    execFile("sh", ["-c", command], { cwd: root, env }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });

describe("npm run catalogue", () => {
  it("stocks an empty catalogue with the commands of docs/operating.md", async () => {
    const guide = readFileSync(path.join(root, "docs/operating.md"), "utf8");
    const commands = guide.match(/^npm run catalogue -- (?:.*\\\n)*.*$/gm) ?? [];
    expect(commands).toHaveLength(7);
    const outputs: string[] = [];
    for (const command of commands) outputs.push(await runInShell(command));
    expect(outputs[0]).toBe("Loaded 15 regions and 624 ports.\n");
    expect(outputs.at(-1)).toMatch(/^C-CNSHA-NLRTM-NSL1 {2}Shanghai – Rotterdam /);
  }, 300_000);

  it("changes, lists and retires records, and loads the reference data once", async () => {
    expect(await run("load-reference")).toMatchObject({ output: "The reference data is there already.\n" });
    const change = ["change-carrier", "NSL1", "--cargo-types", "container|bulk"];
    expect(await run(...change)).toMatchObject({ code: 0, output: "Changed cargo-types of the carrier NSL1.\n" });
    expect(await run("list", "carriers")).toMatchObject({
      code: 0,
      output: "NSL1  North Sea Line  cargo-types=container|bulk\n",
    });
    expect(await run("retire-region", "OCE")).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Retired the region OCE\. With it: ports: \d+\.$/m),
    });
  }, 120_000);

  it("sets and withdraws the price of a plan", async () => {
    expect(await run("set-plan-price", "professional", "--monthly-price", "49.00")).toMatchObject({
      code: 0,
      output: "A month of the professional plan costs 49.00 USD from now.\n",
    });
    expect(await run("withdraw-plan-price", "professional")).toMatchObject({
      code: 0,
      output: "The price of the professional plan is on request.\n",
    });
    expect(await run("set-plan-price", "free", "--monthly-price", "49.00")).toMatchObject({ code: 1 });
  }, 120_000);

  it("sets how periods turn, and how old data may be", async () => {
    const route = "C-CNSHA-NLRTM-NSL1";
    expect(await run("set-period-policy", route, "--policy", "open_ended")).toMatchObject({
      code: 0,
      output: `The periods of the route ${route} are open_ended now.\n`,
    });
    expect(await run("set-period-policy", route, "--policy", "weekly")).toMatchObject({
      code: 1,
      errors: "--policy: Choose one of quarterly, open_ended\n",
    });
    expect(await run("set-data-age", "EAS-NEU", "--daily-minutes", "720")).toMatchObject({
      code: 0,
      output: "The age of data on the lane EAS-NEU is set.\n",
    });
    expect(await run("set-data-age", "EAS-NEU", "--daily-minutes", "1441")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^--daily-minutes: Enter a whole number of minutes from 1 to 1440/),
    });
  }, 120_000);

  it("sets exchange rates", async () => {
    const rate = ["set-exchange-rate", "EUR", "--quote", "USD", "--as-of", "2026-11-13", "--source", "ECB", "--rate"];
    expect(await run(...rate, "1.0931")).toMatchObject({ code: 0, output: "1 EUR is 1.0931 USD as of 2026-11-13.\n" });
    expect(await run(...rate, "1,0931")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^--rate: Enter a rate/),
    });
  }, 60_000);

  it("overrides and releases the price of a period", async () => {
    const period = "C-CNSHA-NLRTM-NSL1/2026-10-01";
    const today = dayOf(systemClock.now());
    await run("set-price", "EAS-NEU", "--base-price", "120.00", "--valid-from", today);
    expect(await run("override-price", period, "--monthly-price", "99")).toMatchObject({
      code: 1,
      errors: "--reason: Say why, for other operators\n",
    });
    const set = ["override-price", period, "--monthly-price", "99", "--reason", "Agreed with sales"];
    expect(await run(...set)).toMatchObject({
      code: 0,
      output: `A month of the period ${period} costs 99.00 USD from today.\n`,
    });
    const release = ["release-price", period];
    expect(await run(...release)).toMatchObject({ output: `The price of the period ${period} is calculated again.\n` });
    expect(await run(...release)).toMatchObject({ code: 1, errors: expect.stringContaining("already calculated") });
  }, 120_000);

  it("prints what is wrong with each option, and exits with 1", async () => {
    const lane = ["add-lane", "X", "--name", "X", "--origin-region", "EAS", "--haul", "head_haul"];
    const { code, errors } = await run(...lane);
    expect(code).toBe(1);
    expect(errors).toMatch(/^--destination-region: Enter a code/m);
  }, 60_000);

  it("exits with 2 and points to the help for a command that it does not know", async () => {
    const { code, errors } = await run("sink-route", "X");
    expect(code).toBe(2);
    expect(errors).toContain("There is no command sink-route. See npm run catalogue -- help");
  }, 60_000);
});
