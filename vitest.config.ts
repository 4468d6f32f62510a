import { defineConfig } from "vitest/config";

/** Timeouts only for tests that hang. No test depends on the machine's speed. */
const limits = { testTimeout: 180_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

const contract = ["**/*.contract.test.ts"];
/** They replace modules, or run the app's own context, which is made from the environment once. */
const isolated = [
  "app/routes/**/!(*.contract).test.{ts,tsx}",
  "app/{context.server,portal/https,domain/{payments/invoice-discounts,pricing/policy,subscriptions/policy}}.test.{ts,tsx}",
];

const unit = {
  include: ["{app,clients,drizzle,inngest,scripts,server}/**/*.test.{ts,tsx}"],
  environment: "node",
  globalSetup: ["app/testing/global-setup.ts"],
  setupFiles: ["app/testing/no-console-errors.ts"],
  ...limits,
  restoreMocks: true,
  unstubEnvs: true,
};

export default defineConfig({
  test: {
    projects: [
      // Most files can share the loaded modules, which saves a second or more for each of them.
      { test: { ...unit, name: "unit", exclude: [...contract, ...isolated], isolate: false } },
      { test: { ...unit, name: "isolated", include: isolated } },
      {
        // Against the built service over HTTP.
        test: {
          name: "contract",
          include: ["{app,clients,inngest,server}/**/*.contract.test.ts"],
          environment: "node",
          globalSetup: ["app/testing/global-setup.ts", "app/testing/service-setup.ts"],
          setupFiles: ["app/testing/no-console-errors.ts"],
          ...limits,
        },
      },
      {
        // The built service while what it depends on fails. Each file has its own service and PostgreSQL.
        test: {
          name: "outages",
          include: ["e2e/faults/**/*.test.ts"],
          environment: "node",
          globalSetup: ["app/testing/global-setup.ts"],
          setupFiles: ["app/testing/no-console-errors.ts"],
          ...limits,
        },
      },
    ],
  },
});
