/**
 * Traces. Until `traceWith` is called this is a function call and a comparison; OpenTelemetry's SDK is behind it
 * (`otel.server.ts`) and loaded only if there is somewhere to send traces to.
 */

export type SpanOptions = {
  /** Without ids and values, so that spans of one kind have one name. */
  name: string;
  kind?: "internal" | "server" | "client";
  attributes?: Record<string, string | number>;
  /** The headers of the request that caused it (W3C Trace Context). */
  parent?: Record<string, unknown>;
};

export type Span = { set(attributes: Record<string, string | number>): void; name(name: string): void };

export type Tracer = {
  /** Runs the work in a span, which ends with it. */
  span<Result>(options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** The ids of the running span. */
  current(): { trace_id: string; span_id: string } | null;
  /** `traceparent` of the running span, for calls to other services. */
  headers(): Record<string, string>;
};

let tracer: Tracer | null = null;

export const traceWith = (started: Tracer | null): void => {
  tracer = started;
};

export const isTracing = (): boolean => tracer !== null;

const noSpan: Span = { set: () => {}, name: () => {} };

export const traced = <Result>(options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> =>
  tracer === null ? work(noSpan) : tracer.span(options, work);

export const currentTrace = (): { trace_id: string; span_id: string } | null => tracer?.current() ?? null;

export const traceHeaders = (): Record<string, string> => tracer?.headers() ?? {};

/** A statement's span is named by its operation; values are no part of its text. */
export const tracedStatement = <Result>(text: string, run: () => Promise<Result>): Promise<Result> => {
  if (tracer === null) return run();
  const [operation = "SQL"] = /[a-z]+/i.exec(text) ?? [];
  const attributes = {
    "db.system.name": "postgresql",
    "db.operation.name": operation.toUpperCase(),
    "db.query.text": text.slice(0, longestText),
  };
  return tracer.span({ name: operation.toUpperCase(), kind: "client", attributes }, run);
};
const longestText = 2_000;
