/** What a process has opened, and closes when it ends: last opened, first closed, each in its own time. */
export type Closer = {
  limitMs: number;
  /** @returns what it had to leave unfinished */
  close(): Promise<readonly string[]>;
  /** The same, asked when the time is over. */
  whenLate(): readonly string[];
};

export type Closers = {
  add(closer: Closer): void;
  /** @returns what was left unfinished: `2 requests`, `1 job` */
  closeAll(): Promise<string[]>;
};

/** @param report hears of a closer that failed; the others are closed all the same */
export const createClosers = (report: (error: unknown) => void): Closers => {
  const closers: Closer[] = [];
  return {
    add: (closer) => closers.unshift(closer),
    closeAll: async () => {
      const left: string[] = [];
      for (const closer of closers.splice(0)) left.push(...(await inTime(closer, report)));
      return left;
    },
  };
};

const inTime = async ({ limitMs, close, whenLate }: Closer, report: (error: unknown) => void) => {
  const closing = close().catch((error) => {
    report(error);
    return whenLate();
  });
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    limit = setTimeout(() => resolve(whenLate()), limitMs);
  });
  const left = await Promise.race([closing, late]);
  clearTimeout(limit);
  return left;
};

/** @example counted(2, "request") → ["2 requests"], counted(0, "request") → [] */
export const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`];
