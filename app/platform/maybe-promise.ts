/**
 * Results that are often known at once. With AsyncLocalStorage, Node 20 does bookkeeping for each promise and gives it more
 * memory, so the hot path makes one only where it waits (docs/decisions/0038-the-hot-path.md).
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Also true for a query that runs when it is awaited. */
export const isPromise = <Value>(value: MaybePromise<Value>): value is Promise<Value> =>
  typeof value === "object" && value !== null && "then" in value;

/** Goes on with a value, at once if it is known. */
export const whenKnown = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (isPromise(value) ? value.then(next) : next(value));
