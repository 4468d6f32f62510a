import { defineConfig } from "vitest/config";

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
          testTimeout: 20_000,
          hookTimeout: 60_000,
          restoreMocks: true,
          unstubEnvs: true,
        },
      },
      {
        // Against the built service, over HTTP.
        test: {
          name: "contract",
          include: ["{app,inngest}/**/*.contract.test.ts"],
          environment: "node",
          globalSetup: ["app/testing/global-setup.ts", "app/testing/service-setup.ts"],
          setupFiles: ["app/testing/no-console-errors.ts"],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
