import { setTimeout as wait } from "node:timers/promises";
import { ask } from "../stage/ask.ts";
import type { Stage } from "../stage/stage.ts";
import type { Scenario } from "./scenario.ts";

/** Without the counters of the rate limits everybody is served. */
const served: Scenario["during"] = { read: "served", order: "served", confirm: "served", health: "served" };

const uncounted = async (stage: Stage): Promise<number> => {
  const { text } = await ask(`${stage.urlOf(0)}/hooks/health`);
  return (JSON.parse(text) as { rate_limit_failures: number }).rate_limit_failures;
};

const common: Pick<Scenario, "isShort" | "during" | "missing" | "check"> = {
  isShort: true,
  during: served,
  missing: ({ redis }) => (redis ? null : "redis-server is not installed"),
  check: async (stage, note) => {
    // Some are probes that were on their way.
    for (let tries = 0; tries < 30; tries++) {
      const before = await uncounted(stage);
      await wait(1_000);
      if ((await uncounted(stage)) > before) continue;
      note.count("requests that were served uncounted", before);
      if (before === 0) note.violation("No request was served uncounted, so nothing was tested");
      return;
    }
    note.violation("Requests are still not counted after Redis has come back");
  },
};

export const redisScenarios: Scenario[] = [
  {
    ...common,
    name: "Redis is gone",
    lasts: { short: 1_500, long: 10_000 },
    begin: ({ redis }) => redis?.kill(),
    end: ({ redis }) => redis?.restart(),
  },
  {
    ...common,
    name: "Redis is frozen: it accepts and answers nothing",
    lasts: { short: 1_500, long: 10_000 },
    begin: ({ redis }) => redis?.freeze(),
    end: ({ redis }) => redis?.resume(),
  },
];
