import { DatabaseTrouble } from "./database-trouble.ts";
import { allowanceFor, asRequest } from "./time-budget.server.ts";

/** How long a caller without a budget waits for the running group and its own. */
const waitMs = 10_000;

/**
 * Batches the calls that arrive while an earlier batch runs, as a DataLoader does, but without timers. An idle batcher
 * does not wait, and only one batch runs at a time.
 *
 * A batch has the time budget of one request, so that a stuck one does not hold up the next. A call that times out while it
 * waits is left out of its batch.
 *
 * @param run answers a batch in order; if it fails, every call of the batch fails
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
