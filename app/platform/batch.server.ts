/**
 * Groups what is asked while an earlier group is under way: no timers, no waiting when idle, and never more than
 * one group at a time.
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
        const answers = await run(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  };

  return (item: Item): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void runNext();
    });
};
