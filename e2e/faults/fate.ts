/** How a worker is to die, and how it tells of itself. */
import { writeSync } from "node:fs";

/** `asked`: before the provider has heard of it; `done`: it has done it, and we know nothing; `answered`: nothing is written down. */
export const callPoints = ["asked", "done", "answered"] as const;
export type CallPoint = (typeof callPoints)[number];

/** `taken`: the mail system has the message, and it is not yet marked as sent. */
export const mailPoints = ["asked", "taken"] as const;
export type MailPoint = (typeof mailPoints)[number];

export type Fate =
  /** Lives, or is killed from outside. */
  | { kind: "none" }
  /** At the `nth` time that it gets there. */
  | { kind: "call"; operation: "chargeOffSession" | "any"; point: CallPoint; nth: number }
  | { kind: "mail"; point: MailPoint; nth: number };

export type Brief = {
  databaseUrl: string;
  /** Nobody else's, ever. */
  name: string;
  seed: string;
  /** `everything`, with faults of network and mail; `due`: only what is left to do, without faults. */
  work: "everything" | "due";
  mostAccounts: number;
  fate: Fate;
};

export type Note =
  | { note: "ready" }
  | { note: "act"; act: string }
  /** A whole sweep has been made at this setting of the clock. */
  | { note: "swept"; aheadMs: number }
  | { note: "dies"; at: string }
  | { note: "complaint"; text: string };

/** At once: what a worker has said before it dies is heard. */
export const tell = (note: Note): void => {
  writeSync(1, `${JSON.stringify(note)}\n`);
};

/** Held shared by whoever is at work, and alone by whoever moves the clock: no act takes a day, as none does in life. */
export const clockLock = 7_463_599;

export type Deaths = { call(operation: string, point: CallPoint): void; mail(point: MailPoint): void };

/** Nothing runs after a SIGKILL of oneself, not even the rest of the line. */
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
