import { DatabaseTrouble } from "./database-trouble.ts";
import { allowanceFor, asRequest } from "./time-budget.server.ts";

/** Of a caller without a budget: for the group under way, and its own. */
const waitMs = 10_000;

/**
 * Groups what is asked while an earlier group is under way: no timers, no waiting when idle, and never more than
 * one group at a time.
 *
 * A group has the time of one request, whoever happened to begin it, so that a stuck one does not hold up the next.
 * Whoever runs out of time while waiting for a group is left out of it.
 *
 * @param run answers a group, in its order; its failure fails every call of the group
 */
export const batch = <Item, Answer>(run: (items: Item[]) => Promise<Answer[]>, largest = 500) => {
  type Waiting = { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let running = false;

  const runNext = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      try {
        const answers = await asRequest(() => run(group.map(({ item }) => item)));
        group.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  };

  return async (item: Item): Promise<Answer> => {
    let entry: Waiting | undefined;
    const answered = () =>
      new Promise<Answer>((resolve, reject) => {
        entry = { item, resolve, reject };
        waiting.push(entry);
        if (!running) void runNext();
      });
    try {
      return await allowanceFor("database", waitMs).spend(answered, tooLate);
    } catch (error) {
      waiting = waiting.filter((other) => other !== entry);
      throw error;
    }
  };
};

const tooLate = () => new DatabaseTrouble("away", "The database did not answer this group in time");
