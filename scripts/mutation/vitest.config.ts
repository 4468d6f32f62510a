import { defineConfig } from "vitest/config";
import { currentArea } from "./areas.mjs";

export default defineConfig({
  test: {
    include: currentArea().tests,
    environment: "node",
    setupFiles: ["app/testing/no-console-errors.ts"],
    testTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
