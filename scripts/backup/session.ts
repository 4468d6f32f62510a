/** The connection of a backup or a restore: no time limits, and values as text that every version of PostgreSQL reads alike. */
import { finished } from "node:stream/promises";
import postgres from "postgres";

export type Sql = postgres.TransactionSql;

/** Other sessions of the service have this name without the last word. */
export const sessionName = "shipping-route-data-service backup";

/** Runs work in one transaction, on a connection of its own. */
export const inTransaction = async <Result>(
  url: string,
  mode: "" | "isolation level repeatable read read only",
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> => {
  const client = postgres(url, {
    max: 1,
    max_lifetime: null,
    connect_timeout: 10,
    onnotice: () => {},
    connection: {
      application_name: sessionName,
      client_encoding: "UTF8",
      TimeZone: "UTC",
      DateStyle: "ISO",
      IntervalStyle: "postgres",
      bytea_output: "hex",
      extra_float_digits: 1,
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
      // Rows in the order in which they are stored.
      synchronize_seqscans: "off",
      max_parallel_workers_per_gather: 0,
    },
  });
  try {
    // The driver types the result for arrays of promises.
    return (await client.begin(mode, work as (sql: Sql) => Promise<unknown>)) as Result;
  } finally {
    await client.end({ timeout: 5 });
  }
};

/**
 * The rows of `COPY … TO STDOUT`: one or more whole rows in each chunk. If its reader stops early, the statement is cancelled and
 * the rest discarded. The connection could not be used or closed otherwise, and a session that waits for its reader holds up every
 * DROP DATABASE of the server.
 */
export const copyOut = async function* (sql: Sql, statement: string): AsyncGenerator<Buffer, void> {
  const query = sql.unsafe(statement);
  const stream = await query.readable();
  // The driver reports later errors to the query only, whose promise is settled by then.
  void Object.assign(query, { reject: (error: Error) => stream.destroy(error) });
  try {
    yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    if (!stream.readableEnded && !stream.destroyed) {
      query.cancel();
      await finished(stream.resume()).catch(() => {});
    }
    // The driver pauses its socket when the stream is full, and resumes it when more is asked for: not after the end.
    stream._read(0);
  }
};
