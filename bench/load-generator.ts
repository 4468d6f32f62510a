/** A load generator in its own process, so that its work is not done by the process that measures. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./load.ts";
import type { Job } from "./load-process.ts";

export type GeneratedLoad = Measurement & { generatorCpuSeconds: number };

export type LoadGenerator = {
  /** @throws Error at the first response that is not 200 */
  run(job: Job): Promise<GeneratedLoad>;
  stop(): Promise<void>;
};

export const startLoadGenerator = (): LoadGenerator => {
  const script = fileURLToPath(new URL("load-process.ts", import.meta.url));
  const child = fork(script, { execArgv: ["--import", "tsx"], serialization: "advanced" });
  const ended = once(child, "exit").then(() => {
    throw new Error("The load generator has ended");
  });
  ended.catch(() => {});
  return {
    run: async (job) => {
      child.send(job);
      const [answer] = (await Promise.race([once(child, "message"), ended])) as [GeneratedLoad | { error: string }];
      if ("error" in answer) throw new Error(answer.error);
      return answer;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
    },
  };
};
