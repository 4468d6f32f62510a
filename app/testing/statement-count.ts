/**
 * Counts the SQL statements of some work, and its sequential round trips: how often it waits for the database. Statements
 * that are sent together make one round trip, those that need an earlier answer make another.
 */
import { expect } from "vitest";
import type { Db } from "../platform/db.server.ts";

export type StatementCount = { statements: number; roundTrips: number };

type Rows = Promise<unknown>;
type Statement = PromiseLike<unknown> & { values(): Rows };
type Client = {
  unsafe: (...statement: unknown[]) => Statement;
  begin<T>(work: (session: Session) => Promise<T>): Promise<T>;
};
type Session = Pick<Client, "unsafe"> & { savepoint<T>(work: (session: Session) => Promise<T>): Promise<T> };

/** How often the event loop turns without a new statement until the work must be waiting for answers. */
const quietTurns = 20;

/**
 * Answers in lockstep, so that the count does not depend on how fast the database is: once the work only waits for answers,
 * all statements that were sent are run, and their answers are given out together. That is one round trip.
 *
 * `begin` and `commit` count as statements. One count at a time for each database.
 *
 * @returns the count, and the text of each statement by round trip
 */
export const countStatements = async (
  db: Db,
  work: () => Promise<unknown>,
): Promise<StatementCount & { texts: string[][] }> => {
  const client = (db as unknown as { $client: Client }).$client;
  const { unsafe, begin } = client;
  const rounds = lockstep();
  client.unsafe = (...statement) => counted(rounds, unsafe.apply(client, statement), statement);
  client.begin = async <T>(transaction: (session: Session) => Promise<T>): Promise<T> => {
    rounds.busy(1);
    let isOpen = false;
    try {
      return await begin.call<Client, [(session: Session) => Promise<T>], Promise<T>>(client, async (session) => {
        isOpen = true;
        rounds.busy(-1);
        await rounds.send("begin", async () => {});
        const result = await transaction(countedSession(rounds, session));
        await rounds.send("commit", async () => {});
        rounds.busy(1);
        isOpen = false;
        return result;
      });
    } finally {
      if (!isOpen) rounds.busy(-1);
    }
  };
  try {
    await work();
  } finally {
    Object.assign(client, { unsafe, begin });
  }
  const texts = rounds.sent();
  return { statements: texts.flat().length, roundTrips: texts.length, texts };
};

type Rounds = ReturnType<typeof lockstep>;

const countedSession = (rounds: Rounds, session: Session): Session => ({
  unsafe: (...statement) => counted(rounds, session.unsafe(...statement), statement),
  savepoint: (work) => session.savepoint((inner) => work(countedSession(rounds, inner))),
});

/** Statements are sent when they are awaited. */
const counted = (rounds: Rounds, statement: Statement, [text]: unknown[]): Statement => ({
  values: () => rounds.send(String(text), () => statement.values()),
  // biome-ignore lint/suspicious/noThenProperty: drizzle awaits it
  then: (onDone, onFailed) => rounds.send(String(text), async () => statement).then(onDone, onFailed),
});

const lockstep = () => {
  type Waiting = { text: string; run: () => Rows; answer: (rows: Rows) => void };
  const sent: string[][] = [];
  let waiting: Waiting[] = [];
  let running = false;
  /** Transactions that are being opened or closed. */
  let busy = 0;
  let arrivals = 0;

  const answerRounds = async () => {
    running = true;
    while (waiting.length > 0) {
      await isQuiet();
      const round = waiting;
      waiting = [];
      sent.push(round.map(({ text }) => text));
      const answers = round.map(({ run }) => run());
      await Promise.allSettled(answers);
      round.forEach(({ answer }, index) => {
        answer(answers[index] as Rows);
      });
      await isQuiet();
    }
    running = false;
  };

  const isQuiet = async () => {
    for (let [turns, seen] = [0, arrivals]; turns < quietTurns; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (seen !== arrivals || busy > 0) [turns, seen] = [0, arrivals];
    }
  };

  return {
    sent: () => sent,
    busy: (change: number) => {
      busy += change;
      arrivals++;
    },
    send: (text: string, run: () => Rows): Rows =>
      new Promise((answer) => {
        waiting.push({ text, run, answer });
        arrivals++;
        if (!running) void answerRounds();
      }),
  };
};

/**
 * Expects exact counts. A failure lists the statements by round trip.
 *
 * @param beside what is not counted, because it is the same for all
 */
export const expectCount = (
  { statements, roundTrips, texts }: Awaited<ReturnType<typeof countStatements>>,
  expected: StatementCount,
  beside: StatementCount = { statements: 0, roundTrips: 0 },
): void => {
  const counted = {
    statements: statements - beside.statements,
    roundTrips: roundTrips - beside.roundTrips,
  };
  const sent = texts.map((round, index) => `${index + 1}. ${round.map(shortened).join("\n   ")}`).join("\n");
  expect(counted, `${advice}\n${sent}\n`).toEqual(expected);
};

const advice = `The number of SQL statements or of round trips has changed.
Fewer: write the new numbers into the table. More: send statements that do not need each other's answers together
(Promise.all), join those that do, and change the table only if neither can be done. By round trip, these were sent:`;

const shortened = (text: string) => text.replace(/\s+/g, " ").slice(0, 160);
