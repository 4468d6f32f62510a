import { DatabaseTrouble } from "./database-trouble.ts";
import { allowanceFor, asRequest, nobody } from "./time-budget.server.ts";

/** How long a caller without a budget waits for the running group and its own. */
const waitMs = 10_000;
const largest = 500;

/**
 * Batches the calls that arrive while an earlier batch runs, as a DataLoader does, but without timers. An idle batcher
 * waits until the event loop has read what has arrived, and one batch runs at a time.
 *
 * A batch has the time budget of one request, so that a stuck one does not hold up the next. A call that times out while it
 * waits is left out of its batch.
 *
 * @param run answers a batch in order; if it fails, every call of the batch fails
 * @param options.keyOf calls of a batch with the same key share one item, the first of them, and its answer
 */
export const batch = <Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  { keyOf }: { keyOf?: (item: Item) => string } = {},
) => {
  type Waiting = { item: Item; succeed: (answer: Answer) => void; fail: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let running = false;

  const runNext = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      try {
        const { items, places } = distinct(
          group.map(({ item }) => item),
          keyOf,
        );
        const answers = await asRequest(() => run(items), undefined, nobody());
        group.forEach(({ succeed }, index) => {
          succeed(answers[places[index] as number] as Answer);
        });
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    running = false;
  };

  return (item: Item): Promise<Answer> => {
    let entry: Waiting | undefined;
    const queue = (succeed: Waiting["succeed"], fail: Waiting["fail"]) => {
      entry = { item, succeed, fail };
      waiting.push(entry);
      if (running) return;
      running = true;
      // Calls of requests that have arrived together belong to one batch.
      setImmediate(() => void runNext());
    };
    const leave = () => {
      waiting = waiting.filter((other) => other !== entry);
      return tooLate();
    };
    return allowanceFor("database", waitMs).wait(queue, leave);
  };
};

/** The items with different keys, and for each item the place of the one that stands for it. */
const distinct = <Item>(all: Item[], keyOf: ((item: Item) => string) | undefined) => {
  if (!keyOf) return { items: all, places: all.map((_, place) => place) };
  const items: Item[] = [];
  const placeByKey = new Map<string, number>();
  const places = all.map((item) => {
    const key = keyOf(item);
    const place = placeByKey.get(key) ?? items.push(item) - 1;
    placeByKey.set(key, place);
    return place;
  });
  return { items, places };
};

const tooLate = () => new DatabaseTrouble("away", "The database did not answer this group in time");
