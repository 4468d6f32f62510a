import { currentArea } from "./areas.mjs";

const { name, mutate } = currentArea();
const results = `.cache/mutation/${name}`;

export default {
  mutate,
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  // Else it runs every test that imports a changed file, most of them on a database.
  vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
  concurrency: 2,
  incremental: true,
  incrementalFile: `${results}.incremental.json`,
  reporters: ["clear-text", "json", "html"],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  jsonReporter: { fileName: `${results}.json` },
  htmlReporter: { fileName: `${results}.html` },
  thresholds: { high: 95, low: 90, break: 85 },
  tempDirName: `.cache/stryker-${name}`,
  ignorePatterns: ["/.*", "/bench", "/build", "/clients", "/docs", "/drizzle/seed", "/e2e", "/public"],
};
