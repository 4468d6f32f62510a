/** Graceful shutdown: what a process has opened is closed in reverse order, each within its own time limit. */
export type Closer = {
  limitMs: number;
  /** @returns what it had to leave unfinished */
  close(): Promise<readonly string[]>;
  /** The same, called when the time limit is over. */
  whenLate(): readonly string[];
};

export type Closers = {
  add(closer: Closer): void;
  /** @returns what was left unfinished: `2 requests`, `1 job` */
  closeAll(): Promise<string[]>;
};

/** @param report called with the error of a closer that fails; the others still run */
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
