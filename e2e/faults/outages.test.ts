/** The short form. `npm run faults` runs the long one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stages } from "./scenarios/all.ts";
import { runScenario } from "./scenarios/scenario.ts";
import type { Stage } from "./stage/stage.ts";

describe.each(stages)("$name", ({ open, scenarios }) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await open();
  }, 600_000);
  afterAll(() => stage?.close());

  it.for(scenarios.filter(({ isShort }) => isShort))("$name", { timeout: 600_000 }, async (scenario, { skip }) => {
    const { skipped, violations } = await runScenario(stage, scenario, "short");
    if (skipped !== null) skip(skipped);
    expect(violations).toEqual([]);
  });
});
