import { defineConfig } from "vitest/config";
export default defineConfig({ root: "/work/main", test: { include: ["app/domain/rate-limit/*.test.ts"], setupFiles: ["app/testing/no-console-errors.ts"], testTimeout: 20000, hookTimeout: 60000, restoreMocks: true, unstubEnvs: true } });
