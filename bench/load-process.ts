/** The process of `load-generator.ts`: generates the configured load, and reports its own CPU time as well. */
import { type Limits, load } from "./load.ts";

export type Job = {
  port: number;
  /** One for each caller where they read what is their own. */
  path: string | string[];
  /** Headers of the callers, who take turns. */
  callers: Record<string, string>[];
  body?: string;
  limits: Limits;
};

process.on("message", async ({ callers, path: paths, limits, ...target }: Job) => {
  const before = process.cpuUsage();
  try {
    const headers = (request: number) => callers[request % callers.length] ?? {};
    const path = typeof paths === "string" ? paths : (request: number) => paths[request % paths.length] ?? "";
    const measurement = await load({ ...target, path, headers }, limits);
    const { user, system } = process.cpuUsage(before);
    process.send?.({ ...measurement, generatorCpuSeconds: (user + system) / 1_000_000 });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) });
  }
});
process.on("disconnect", () => process.exit());
