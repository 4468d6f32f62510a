import type { Scenario } from "./scenario.ts";

const hourMs = 3_600_000;

const jump = (name: string, offsetMs: number): Scenario => ({
  name,
  isShort: true,
  lasts: { short: 1_000, long: 10_000 },
  during: { read: "served", order: "served", confirm: "served", health: "served" },
  begin: (stage) => stage.setClock(1, offsetMs),
  end: (stage) => stage.setClock(1, 0),
});

/** One process only: the other, PostgreSQL, Redis and Stripe keep the right time. */
export const clockScenarios: Scenario[] = [
  jump("The clock of a process jumps two hours ahead, and back", 2 * hourMs),
  jump("The clock of a process jumps two hours back, and ahead", -2 * hourMs),
];
