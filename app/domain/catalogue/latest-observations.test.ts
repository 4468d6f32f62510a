import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { periods, reports } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { latestRates } from "./latest-observations.server.ts";
import { rateBasis } from "./route.ts";

let world: World;
let periodId: number;
beforeAll(async () => {
  world = await createWorld({ routeCodes: ["B-AUPHE-CNTAO-GRN9"] });
  const [period] = await world.ctx.db.select().from(periods).limit(1);
  periodId = period?.id ?? 0;
});
afterAll(() => world.close());

const millisecondsPerDay = 86_400_000;
const msBefore = (ms: number) => new Date(world.clock.now().getTime() - ms);

/** Replaces all reports by rates of these ages in days. Each is a cent cheaper than the one before it. */
const reported = async (agesInDays: number[]) => {
  await world.ctx.db.delete(reports);
  await world.ctx.db.insert(reports).values(
    agesInDays.map((age, index) => ({
      periodId,
      type: "rate" as const,
      observedAt: msBefore(age * millisecondsPerDay),
      serviceLevel: "standard" as const,
      basis: rateBasis.bulk,
      currency: "USD",
      baseRateCents: 900 - index,
      surchargesCents: 100,
    })),
  );
  const rates = await latestRates(world.ctx, [periodId]);
  return rates.map(({ allInCents, earlierAllInCents }) => [allInCents, earlierAllInCents]);
};

describe("The latest rate", () => {
  it.each([
    ["the only one", [1], [[1000, null]]],
    ["younger than 28 days", [1, 28.999], [[1000, null]]],
    ["28 days before", [1, 8, 29, 36], [[1000, 998]]],
    ["nearly 42 days before", [1, 42.999], [[1000, 999]]],
    ["42 days before", [1, 43], [[1000, null]]],
    ["older than 91 days", [92.5, 120], []],
  ])("is compared with the newest of 28 to 42 days before: %s", async (_, agesInDays, expected) => {
    expect(await reported(agesInDays)).toEqual(expected);
  });

  it("is one for each service level, the newest first", async () => {
    await reported([1]);
    const [rate] = await world.ctx.db.select().from(reports);
    if (!rate) throw new Error("The rate was not written");
    const { id: _, ...values } = rate;
    await world.ctx.db.insert(reports).values([
      { ...values, serviceLevel: "express", observedAt: msBefore(1_000), baseRateCents: 1_400 },
      { ...values, serviceLevel: "express", observedAt: msBefore(2_000), baseRateCents: 1_500 },
    ]);
    const rates = await latestRates(world.ctx, [periodId]);
    expect(rates.map(({ serviceLevel, baseRateCents }) => [serviceLevel, baseRateCents])).toEqual([
      ["express", 1_400],
      ["standard", 900],
    ]);
    await world.ctx.db.update(reports).set({ surchargesCents: null }).where(eq(reports.serviceLevel, "express"));
    expect(await latestRates(world.ctx, [periodId])).toHaveLength(1);
  });
});
