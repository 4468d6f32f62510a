import { defineConfig } from "vitest/config";

/** Timeouts only for tests that hang. No test depends on the machine's speed. */
const limits = { testTimeout: 60_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{app,drizzle,inngest,scripts}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.contract.test.ts"],
          environment: "node",
          globalSetup: ["app/testing/global-setup.ts"],
          setupFiles: ["app/testing/no-console-errors.ts"],
          ...limits,
          restoreMocks: true,
          unstubEnvs: true,
        },
      },
      {
        // Against the built service over HTTP.
        test: {
          name: "contract",
          include: ["{app,inngest}/**/*.contract.test.ts"],
          environment: "node",
          globalSetup: ["app/testing/global-setup.ts", "app/testing/service-setup.ts"],
          setupFiles: ["app/testing/no-console-errors.ts"],
          ...limits,
        },
      },
    ],
  },
});
