/** How a worker is to be killed, and what it reports. */
import { writeSync } from "node:fs";

/** `asked`: before the request; `done`: after the provider acted, without its response; `answered`: before the result is stored. */
export const callPoints = ["asked", "done", "answered"] as const;
export type CallPoint = (typeof callPoints)[number];

/** `taken`: the mail system has accepted the message, but it is not marked as sent. */
export const mailPoints = ["asked", "taken"] as const;
export type MailPoint = (typeof mailPoints)[number];

export type Fate =
  /** Not killed, or killed from outside. */
  | { kind: "none" }
  /** Killed when it reaches the point for the `nth` time. */
  | { kind: "call"; operation: "chargeOffSession" | "any"; point: CallPoint; nth: number }
  | { kind: "mail"; point: MailPoint; nth: number };

export type Brief = {
  databaseUrl: string;
  /** Unique in the run. */
  name: string;
  seed: string;
  /** `everything`: all acts, with network and mail faults. `due`: only due work, without faults. */
  work: "everything" | "due";
  mostAccounts: number;
  fate: Fate;
};

export type Note =
  | { note: "ready" }
  | { note: "act"; act: string }
  /** A sweep was completed at this setting of the clock. */
  | { note: "swept"; aheadMs: number }
  | { note: "dies"; at: string }
  | { note: "complaint"; text: string };

/** Writes synchronously, so that nothing reported before a kill is lost. */
export const tell = (note: Note): void => {
  writeSync(1, `${JSON.stringify(note)}\n`);
};

/** Held shared during an act, and exclusively to move the clock: as in production, no act takes a day. */
export const clockLock = 7_463_599;

export type Deaths = { call(operation: string, point: CallPoint): void; mail(point: MailPoint): void };

/** Kills with SIGKILL, so that nothing runs afterwards. */
export const deathsOf = (fate: Fate): Deaths => {
  let left = fate.kind === "none" ? 0 : fate.nth;
  const die = (at: string) => {
    left -= 1;
    if (left > 0) return;
    tell({ note: "dies", at });
    process.kill(process.pid, "SIGKILL");
  };
  return {
    call: (operation, point) => {
      if (fate.kind !== "call" || fate.point !== point) return;
      if (fate.operation === "any" || fate.operation === operation) die(`${operation}: ${inWords[point]}`);
    },
    mail: (point) => {
      if (fate.kind === "mail" && fate.point === point) die(`mail: ${inWords[point]}`);
    },
  };
};

const inWords = {
  asked: "before it",
  done: "done, answer not read",
  answered: "answered, nothing written",
  taken: "taken, not marked as sent",
} as const satisfies Record<CallPoint | MailPoint, string>;
