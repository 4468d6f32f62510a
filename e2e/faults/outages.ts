/**
 * `npm run faults -- --only outages --named "redis|stripe"` runs the scenarios in their long form, or with `--short` in that of
 * the tests, and prints what happened. `--named` is a regular expression. It exits with 1 when anything was lost, doubled, wrong
 * or did not recover.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { stages } from "./scenarios/all.ts";
import { type Result, runScenario } from "./scenarios/scenario.ts";

const { values: given } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    named: { type: "string", default: "" },
    page: { type: "string" },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const form = given.short ? "short" : "long";

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const pageOf = (results: Result[]): string => {
  const lines = results.map(({ name, skipped, during, slowestMs, recoveryMs, counts, violations }) =>
    skipped === null
      ? [
          name,
          recoveryMs === null ? "no" : seconds(recoveryMs),
          seconds(slowestMs),
          during,
          counts.map(([what, count]) => `${what}: ${count}`).join("; "),
          String(violations.length),
        ]
      : [name, "", "", "", `Skipped: ${skipped}`, ""],
  );
  const header = ["fault", "recovered after", "slowest answer", "answers during the fault", "counted", "violations"];
  const table = [header, header.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const violations = results.flatMap((result) => result.violations.map((text) => `- ${result.name}: ${text}`));
  return `## What the service depends on fails

Two processes of the built service, with readers and buyers at work before, during and after each fault. \`recovered after\` is the
time from the end of the fault until reading, ordering, paying and the health check succeeded again in both processes, without a
restart. Answers are counted by act and HTTP status, 503 with its
Retry-After; \`refused\` and \`cut\` are connections to a process that has ended.

${table}

${violations.length === 0 ? "No violation." : violations.join("\n")}
`;
};

const main = async (): Promise<number> => {
  const results: Result[] = [];
  for (const { name, open, scenarios } of stages) {
    const wanted = scenarios.filter(
      (scenario) => (form === "long" || scenario.isShort) && new RegExp(given.named, "i").test(scenario.name),
    );
    if (wanted.length === 0) continue;
    print(`${name} …`);
    const stage = await open();
    try {
      for (const scenario of wanted) {
        const startedAt = performance.now();
        const result = await runScenario(stage, scenario, form);
        results.push(result);
        const outcome = result.skipped ?? (result.violations.length === 0 ? "held" : "VIOLATED");
        print(`  ${scenario.name}: ${outcome}, ${seconds(performance.now() - startedAt)}; ${result.during}`);
        for (const violation of result.violations) print(`    ${violation}`);
      }
    } finally {
      await stage.close();
    }
  }
  const page = pageOf(results);
  print(`\n${page}`);
  if (given.page) writeFileSync(given.page, page);
  return results.some(({ violations }) => violations.length > 0) ? 1 : 0;
};

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main();
