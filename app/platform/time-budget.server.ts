/**
 * Time budgets: how long work may wait for the database and the payment provider. A request or job declares its budget once;
 * everything called from there, however deep, waits within it.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** `request`: a client waits for the response. `long_work`: jobs, imports, exports, the test clock. */
export type Pace = "request" | "long_work";

/** Totals for one request. Their sum stays below the timeouts of load balancers. */
const requestBudgetMs = { database: 3_000, paymentProvider: 8_500 };

/** For the whole process; called once, at its start. */
export const setDatabaseWait = (waitMs: number): void => {
  requestBudgetMs.database = waitMs;
};
type Party = keyof typeof requestBudgetMs;

/** `allowances` null: no total, only a limit for each wait. */
type Budget = { pace: Pace; allowances: Record<Party, Allowance> | null; isOver: boolean; origin: Origin };

/** What the running code works for: for logs, traces, PostgreSQL and the payment provider. */
export type Origin = {
  /** Null: not known yet, or the work serves several requests. */
  requestId: string | null;
  job: string | null;
};

const budgets = new AsyncLocalStorage<Budget | null>();

/** Work that continues after the response no longer counts against the budget. */
const current = (): Budget | null => {
  const budget = budgets.getStore() ?? null;
  return budget?.isOver ? null : budget;
};

type Wait = { endsAt: number; end: () => void; place: number };

/**
 * The waits that go on. One timer looks at all of them: most end long before their time, and a timer for each costs more.
 *
 * Not a Set: each table that V8 replaces in a busy Set points to its successor, so those that have reached the old generation
 * keep every wait with its request alive until the next full garbage collection (docs/decisions/0038-the-hot-path.md).
 */
const waits: Wait[] = [];
const tickMs = 32;
let ticking: NodeJS.Timeout | null = null;

const startWait = (limitMs: number, end: () => void): Wait => {
  const wait = { endsAt: performance.now() + limitMs, end, place: waits.length };
  waits.push(wait);
  // The timer belongs to no request.
  ticking ??= budgets.run(null, () => setInterval(endLateWaits, tickMs));
  return wait;
};

/** The last one takes its place. */
const removeWait = (wait: Wait): void => {
  if (waits[wait.place] !== wait) return;
  const last = waits.pop();
  if (last === undefined || last === wait) return;
  last.place = wait.place;
  waits[wait.place] = last;
};

const endLateWaits = (): void => {
  const now = performance.now();
  for (const wait of waits.filter(({ endsAt }) => endsAt <= now)) {
    removeWait(wait);
    // If the event loop was blocked, the answer may have arrived meanwhile: read it before timing out.
    setImmediate(wait.end);
  }
  if (waits.length > 0 || ticking === null) return;
  clearInterval(ticking);
  ticking = null;
};

/** The time that may be spent waiting for one other party. Overlapping waits count once. */
export class Allowance {
  #leftMs: number;
  #waiting = 0;
  #waitingSince = 0;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
  }

  /**
   * Starts the work unless the time is up, and waits until the time is up. The work itself is not cancelled.
   *
   * @throws what `tooLate` makes
   */
  spend<Result>(work: () => PromiseLike<Result>, tooLate: () => Error): Promise<Result> {
    return this.wait((succeed, fail) => {
      work().then(succeed, fail);
    }, tooLate);
  }

  /** The same for work that calls back, which takes one promise: every request comes here several times. */
  wait<Result>(
    begin: (succeed: (result: Result) => void, fail: (error: unknown) => void) => void,
    tooLate: () => Error,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting === 0) this.#waitingSince = performance.now();
      const leftMs = this.#leftMs - (performance.now() - this.#waitingSince);
      if (leftMs <= 0) throw tooLate();
      this.#waiting += 1;
      let isWaiting = true;
      const stopWaiting = () => {
        removeWait(wait);
        if (!isWaiting) return;
        isWaiting = false;
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#leftMs -= performance.now() - this.#waitingSince;
      };
      const fail = (error: unknown) => {
        stopWaiting();
        reject(error);
      };
      const wait = startWait(leftMs, () => {
        if (isWaiting) fail(tooLate());
      });
      const succeed = (result: Result) => {
        stopWaiting();
        resolve(result);
      };
      try {
        begin(succeed, fail);
      } catch (error) {
        fail(error);
      }
    });
  }
}

/**
 * Runs a request, with its own budget.
 *
 * @param databaseMs how long it may wait for the database in all
 * @param origin default: that of the code around it
 */
export const asRequest = <Result>(
  work: () => PromiseLike<Result>,
  databaseMs = requestBudgetMs.database,
  origin = currentOrigin() ?? nobody(),
): Promise<Result> => {
  const budget: Budget = {
    origin,
    pace: "request",
    allowances: {
      database: new Allowance(databaseMs),
      paymentProvider: new Allowance(requestBudgetMs.paymentProvider),
    },
    isOver: false,
  };
  const over = () => {
    budget.isOver = true;
  };
  const working = runWithin(budget, () => begun(work));
  working.then(over, over);
  return working;
};

/** A drizzle query starts only when somebody waits for it. */
const begun = <Result>(work: () => PromiseLike<Result>): Promise<Result> => {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
};

/** Runs long work: each wait has a limit, the total has none. */
export const asLongWork = <Result>(
  work: () => PromiseLike<Result>,
  origin = currentOrigin() ?? nobody(),
): Promise<Result> =>
  // Awaits inside, as a drizzle query starts only when it is awaited.
  runWithin({ pace: "long_work", allowances: null, isOver: false, origin }, async () => await work());

/** For work that serves nobody in particular, or several requests together. */
export const nobody = (): Origin => ({ requestId: null, job: null });

/** Null outside of requests and jobs. */
export const currentOrigin = (): Origin | null => budgets.getStore()?.origin ?? null;

/** Called once the request has its ID. */
export const setRequestId = (requestId: string): void => {
  const origin = currentOrigin();
  if (origin) origin.requestId = requestId;
};

const runWithin = <Result>(budget: Budget, work: () => Promise<Result>): Promise<Result> => budgets.run(budget, work);

/** Without a budget, as in scripts, work counts as a request. */
export const currentPace = (): Pace => current()?.pace ?? "request";

/** @param otherwiseMs the limit of one wait if there is no budget */
export const allowanceFor = (party: Party, otherwiseMs: number): Allowance =>
  current()?.allowances?.[party] ?? new Allowance(otherwiseMs);
