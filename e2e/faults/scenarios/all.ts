/** All scenarios, and the stages on which they run. */
import { openStage, type Stage, type StageOptions } from "../stage/stage.ts";
import { clientScenarios } from "./clients.ts";
import { clockScenarios } from "./clock.ts";
import { inngestScenarios } from "./inngest.ts";
import { mailScenarios } from "./mail.ts";
import { paymentScenarios } from "./payments.ts";
import { postgresScenarios } from "./postgres.ts";
import { processScenarios } from "./processes.ts";
import { redisScenarios } from "./redis.ts";
import type { Scenario } from "./scenario.ts";

const two: StageOptions = { processes: 2, readers: 4 };

export const stages: { name: string; open(): Promise<Stage>; scenarios: Scenario[] }[] = [
  {
    name: "The service, two processes",
    open: () => openStage(two),
    scenarios: [
      ...postgresScenarios,
      ...redisScenarios,
      ...paymentScenarios,
      ...clientScenarios,
      ...clockScenarios,
      ...processScenarios,
      ...mailScenarios,
    ],
  },
  {
    name: "The service, two processes and Inngest",
    open: () => openStage({ ...two, inngest: true }),
    scenarios: inngestScenarios,
  },
];
