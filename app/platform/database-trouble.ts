/** Classifies database errors by the codes of PostgreSQL, its driver and the network. */

/**
 * `away`: not reached, lost, or silent. `full`: out of disk, memory or connections. `read_only`: a standby, or set so.
 * `busy`: a statement waited too long for a lock, a connection or its own end, or lost against another transaction.
 */
export type Trouble = "away" | "full" | "read_only" | "busy";

/** A timeout or limit of our own, noticed before the database did. */
export class DatabaseTrouble extends Error {
  override readonly name = "DatabaseTrouble";
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

/** Null if the error is about the statement, or not about the database. */
export const troubleOf = (error: unknown): Trouble | null => {
  let trouble: Trouble | null = null;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseTrouble) return cause.trouble;
    trouble ??= troubleOfOne(cause);
  }
  return trouble;
};

const troubleOfOne = (error: Error): Trouble | null => {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const [, trouble] = byCode.find(([pattern]) => pattern.test(code)) ?? [];
  if (trouble !== undefined) return trouble;
  // PostgreSQL calls an error fatal when it ends the connection, or does not open it.
  if ("severity" in error && error.severity === "FATAL") return "away";
  return "query" in error && fromTheNetwork.test(code) ? "away" : null;
};

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const byCode: readonly (readonly [pattern: RegExp, trouble: Trouble])[] = [
  // disk_full, out_of_memory, too_many_connections, configuration_limit_exceeded
  [/^53\d{3}$/, "full"],
  // read_only_sql_transaction
  [/^25006$/, "read_only"],
  // query_canceled (statement_timeout), lock_not_available, deadlock_detected, serialization_failure
  [/^(57014|55P03|40P01|40001)$/, "busy"],
  // connection_exception, operator_intervention; the driver's own
  [/^(08\w{3}|57P0\d|CONNECT_TIMEOUT|CONNECTION_\w+|ANSWER_TIMEOUT)$/, "away"],
];

/** Any socket has these codes, a client's as well; the driver adds the statement that it could not send. */
const fromTheNetwork = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
