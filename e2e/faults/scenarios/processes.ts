import { setTimeout as wait } from "node:timers/promises";
import type { Scenario } from "./scenario.ts";

const served: Scenario["during"] = { read: "served", order: "served", confirm: "served", health: "served" };

/** Of the processes of the stage, which goes. The others stay. */
const victim = 1;

export const processScenarios: Scenario[] = [
  {
    name: "A process is killed under load",
    isShort: true,
    endsProcesses: true,
    lasts: { short: 500, long: 5_000 },
    during: served,
    begin: (stage) => stage.services[victim]?.terminate("SIGKILL"),
    end: (stage) => stage.replace(victim),
  },
  {
    name: "A process is stopped under load, while Stripe is slow",
    isShort: true,
    endsProcesses: true,
    lasts: { short: 0, long: 3_000 },
    during: served,
    begin: async (stage, note) => {
      await stage.stripe.behave("slow");
      await wait(1_500);
      const toldAt = performance.now();
      const ended = await stage.services[victim]?.terminate("SIGTERM");
      if (ended?.code !== 0) note.violation(`The process ended with ${ended?.code ?? ended?.signal}`);
      // One that has just connected may not have been accepted yet.
      const running = note
        .answers()
        .filter(
          ({ service, startedAt, ms }) => service === victim && startedAt < toldAt - 500 && startedAt + ms > toldAt,
        );
      note.count("requests in progress at the signal", running.length);
      note.count("seconds until the process had ended", ((performance.now() - toldAt) / 1000).toFixed(1));
      const broken = running.filter(({ status }) => status !== 200);
      if (broken.length > 0) note.violation(`${broken.length} requests in progress were not answered with success`);
    },
    end: async (stage) => {
      await stage.stripe.behave("well");
      await stage.replace(victim);
    },
  },
];
