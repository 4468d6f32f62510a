/**
 * Measures a purchase from checkout to subscription: order, payment intent, card, settlement, invoice. Once one at a
 * time, and once by eight accounts concurrently. Payments are simulated in the same database, so a purchase takes more
 * statements than with a real provider, but no time for its network calls.
 */
import { paidTerms } from "../drizzle/schema/index.ts";
import { machineInWords, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { buy, type Customer, newCustomer, openStage, print, routeOnSale, type Stage } from "./stage.ts";

const rounds = 5;
const purchasesPerRound = 48;
const crowd = 8;

export const run = async (): Promise<void> => {
  const stage = await openStage();
  try {
    const { periodId } = await routeOnSale(stage);
    const customers: Customer[] = [];
    for (let number = 1; number <= crowd; number++) customers.push(await newCustomer(stage, `buyer-${number}`));
    const purchase = (concurrency: number) => perSecond(stage, customers, periodId, concurrency);

    await purchase(crowd);
    const before = await stage.ctx.db.$count(paidTerms);
    const measured: { alone: number; together: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      print(`Round ${round} of ${rounds}`);
      measured.push({ alone: await purchase(1), together: await purchase(crowd) });
    }
    const settled = (await stage.ctx.db.$count(paidTerms)) - before;
    const expected = rounds * purchasesPerRound * 2;
    if (settled !== expected) throw new Error(`${expected} purchases made ${settled} paid terms`);
    report(measured, expected);
  } finally {
    await stage.close();
  }
};

/** The customers take turns. Each makes one purchase at a time. */
const perSecond = async (stage: Stage, customers: Customer[], periodId: number, concurrency: number) => {
  const startedAt = performance.now();
  const each = purchasesPerRound / concurrency;
  const shop = async (worker: number) => {
    for (let number = 0; number < each; number++) {
      await buy(stage, customers[(worker + (concurrency === 1 ? number : 0)) % customers.length] as Customer, periodId);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => shop(worker)));
  return purchasesPerRound / ((performance.now() - startedAt) / 1000);
};

const report = (measured: { alone: number; together: number }[], expected: number): void => {
  const alone = spreadOf(measured.map((round) => round.alone));
  const together = spreadOf(measured.map((round) => round.together));
  const gain = spreadOf(measured.map((round) => round.together / round.alone));
  const result = table(
    ["purchases", "a second", "ratio"],
    [
      ["one after the other", spreadInWords(alone), "1"],
      [`${crowd} accounts at once`, spreadInWords(together), spreadInWords(gain)],
    ],
  );
  print(`\n${result}\n`);
  const page = `# Purchases, from checkout to subscription

Median of ${rounds} interleaved rounds of ${purchasesPerRound} (smallest–largest of them).

${result}

- ${machineInWords()}.
- ${expected} purchases made exactly ${expected} paid terms.
- Payments are simulated in the same database, which adds statements and takes away a provider's answer time.`;
  writeResults("purchase", { rounds, purchasesPerRound, crowd, alone, together, gain }, page);
};
