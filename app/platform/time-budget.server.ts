/**
 * How long the work at hand may wait for others. Whoever answers a request or runs a job says once which kind of work
 * begins; everything called from there, however deep, waits within that budget.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** `request`: somebody waits for the answer. `long_work`: jobs, imports, exports, the test clock. */
export type Pace = "request" | "long_work";

/** Of one request, in all; the sum stays below what load balancers wait. */
const requestBudgetMs = { database: 3_000, paymentProvider: 8_500 };

/** For the whole process, once and at its start. */
export const setDatabaseWait = (waitMs: number): void => {
  requestBudgetMs.database = waitMs;
};
type Party = keyof typeof requestBudgetMs;

/** `allowances` null: no sum, only the limits of each wait. */
type Budget = { pace: Pace; allowances: Record<Party, Allowance> | null; isOver: boolean };

const budgets = new AsyncLocalStorage<Budget | null>();

/** What a request left running when it was answered no longer counts against it. */
const current = (): Budget | null => {
  const budget = budgets.getStore() ?? null;
  return budget?.isOver ? null : budget;
};

/** Time that may be spent on waiting for one other party. Waits that overlap count once. */
export class Allowance {
  #leftMs: number;
  #waiting = 0;
  #waitingSince = 0;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
  }

  /**
   * Begins the work unless the time is up, and waits as long as there is time. The work itself goes on.
   *
   * @throws what `tooLate` makes
   */
  async spend<Result>(work: () => PromiseLike<Result>, tooLate: () => Error): Promise<Result> {
    if (this.#waiting === 0) this.#waitingSince = performance.now();
    const leftMs = this.#leftMs - (performance.now() - this.#waitingSince);
    if (leftMs <= 0) throw tooLate();
    this.#waiting += 1;
    let timer: NodeJS.Timeout | undefined;
    const timeIsUp = new Promise<never>((_, reject) => {
      // If this process stood still, the answer may have arrived meanwhile: read it before giving up.
      timer = setTimeout(() => setImmediate(() => reject(tooLate())), leftMs);
    });
    try {
      return await Promise.race([work(), timeIsUp]);
    } finally {
      clearTimeout(timer);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#leftMs -= performance.now() - this.#waitingSince;
    }
  }
}

/**
 * Runs work that somebody waits for, with a budget of its own.
 *
 * @param databaseMs how long it may wait for the database in all
 */
export const asRequest = async <Result>(
  work: () => PromiseLike<Result>,
  databaseMs = requestBudgetMs.database,
): Promise<Result> => {
  const budget: Budget = {
    pace: "request",
    allowances: {
      database: new Allowance(databaseMs),
      paymentProvider: new Allowance(requestBudgetMs.paymentProvider),
    },
    isOver: false,
  };
  try {
    return await begun(budget, work);
  } finally {
    budget.isOver = true;
  }
};

/** Runs work that takes its time: each wait has a limit, the whole has none. */
export const asLongWork = <Result>(work: () => PromiseLike<Result>): Promise<Result> =>
  begun({ pace: "long_work", allowances: null, isOver: false }, work);

/** Awaited inside: a query of drizzle begins only when it is awaited. */
const begun = <Result>(budget: Budget, work: () => PromiseLike<Result>): Promise<Result> =>
  budgets.run(budget, async () => await work());

/** Without a budget, as in scripts, work is taken for a request's. */
export const currentPace = (): Pace => current()?.pace ?? "request";

/** @param otherwiseMs of one wait, where there is no budget of all of them */
export const allowanceFor = (party: Party, otherwiseMs: number): Allowance =>
  current()?.allowances?.[party] ?? new Allowance(otherwiseMs);
