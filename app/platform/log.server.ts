/**
 * One JSON line per event: a past-tense sentence and ids. Never secrets, bodies or e-mail addresses. Field names are those of
 * OpenTelemetry's and Elastic's conventions where they have one; docs/operating.md lists them.
 */
import { systemClock } from "../domain/clock.ts";
import { currentOrigin } from "./time-budget.server.ts";
import { currentTrace } from "./tracing.ts";

type Value = string | number | boolean | null | undefined;

/** The names that search and alerts rely on. Other fields are named `thing_id`, or after what they count. */
export type StandardFields = {
  request_id?: string;
  account_id?: number | null;
  job?: string;
  "http.request.method"?: string;
  "http.response.status_code"?: number;
  "url.path"?: string;
  "error.type"?: string;
  "error.message"?: string;
  "error.stack_trace"?: string;
};

export type LogFields = StandardFields & Record<string, Value>;
export type Log = {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields & { cause?: never }, error?: unknown): void;
};

type Write = (line: string) => void;

/** The request or job around the call and its trace are added to every line. */
export const jsonLog = (write: Write = (line) => process.stderr.write(`${line}\n`)): Log => {
  const at =
    (level: "info" | "warn" | "error") =>
    (message: string, fields: LogFields = {}, error?: unknown) =>
      write(
        JSON.stringify({
          time: systemClock.now().toISOString(),
          level,
          message,
          ...originFields(),
          ...currentTrace(),
          ...fields,
          ...describe(error),
        }),
      );
  return { info: at("info"), warn: at("warn"), error: at("error") };
};

const originFields = (): LogFields => {
  const { requestId = null, job = null } = currentOrigin() ?? {};
  return { ...(requestId === null ? {} : { request_id: requestId }), ...(job === null ? {} : { job }) };
};

const describe = (error: unknown): LogFields => {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { "error.type": typeof error, "error.message": String(error) };
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  // A failed query's own message lists its parameters, which may be personal; its cause does not.
  const message = error.message.startsWith("Failed query") ? `Failed query${cause}` : `${error.message}${cause}`;
  const stack = error.stack
    ?.split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 8)
    .join("\n");
  return {
    "error.type": error.name,
    "error.message": message,
    ...(stack === undefined ? {} : { "error.stack_trace": stack }),
  };
};
