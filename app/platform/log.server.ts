/**
 * One JSON line per event: a past-tense sentence and ids. Never secrets, bodies or e-mail addresses.
 */
import { systemClock } from "../domain/clock.ts";

export type LogFields = Record<string, string | number | boolean | null | undefined>;
export type Log = {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields & { cause?: never }, error?: unknown): void;
};

type Write = (line: string) => void;

export const jsonLog = (write: Write = (line) => process.stderr.write(`${line}\n`)): Log => {
  const at =
    (level: "info" | "warn" | "error") =>
    (event: string, fields: LogFields = {}, error?: unknown) =>
      write(JSON.stringify({ at: systemClock.now().toISOString(), level, event, ...fields, ...describe(error) }));
  return { info: at("info"), warn: at("warn"), error: at("error") };
};

const describe = (error: unknown): LogFields => {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  // A failed query's own message lists its parameters, which may be personal; its cause does not.
  const message = error.message.startsWith("Failed query") ? `Failed query${cause}` : `${error.message}${cause}`;
  const stack = error.stack
    ?.split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 8)
    .join("\n");
  return { error: message, stack };
};
