/**
 * OpenTelemetry's SDK. Only `telemetry.server.ts` loads this file, and only with OTEL_EXPORTER_OTLP_ENDPOINT: it sends traces
 * and the metrics of the registry there, by OTLP over HTTP. The SDK reads its other settings (headers, sampling, intervals)
 * from the environment itself.
 */
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  InstrumentType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Definition, Registry, Sample } from "./metrics/registry.ts";
import type { Span, Tracer } from "./tracing.ts";

export type Telemetry = { tracer: Tracer; stop(): Promise<void> };

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };

type Options = {
  version: string;
  /** The worker's number. Null: the only process. */
  worker: string | null;
  registry: Registry;
  read(): Promise<ReturnType<Registry["snapshot"]>>;
};

export const startTelemetry = ({ version, worker, registry, read }: Options): Telemetry => {
  const resource = resourceFromAttributes({
    "service.name": process.env.OTEL_SERVICE_NAME || "shipping-route-data-service",
    "service.version": version,
    "service.instance.id": `${process.env.HOSTNAME ?? "local"}-${worker ?? process.pid}`,
  });
  const traces = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const producer: MetricProducer = {
    collect: async () => ({
      resourceMetrics: {
        resource,
        scopeMetrics: [{ scope: { name: scope }, metrics: metricsOf(registry, await read()) }],
      },
      errors: [],
    }),
  };
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        metricProducers: [producer],
        exportIntervalMillis: intervalMs(process.env.OTEL_METRIC_EXPORT_INTERVAL),
      }),
    ],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  return {
    tracer: tracerOf(traces),
    stop: async () => {
      await Promise.allSettled([traces.shutdown(), metrics.shutdown()]);
      context.disable();
    },
  };
};

const scope = "shipping-route-data-service";
const intervalMs = (setting: string | undefined): number => (Number(setting) > 0 ? Number(setting) : 60_000);

// ── Traces ──────────────────────────────────────────────────────────────────────────────────────────

const propagator = new W3CTraceContextPropagator();
const fromHeaders = {
  keys: (headers: Record<string, unknown>) => Object.keys(headers),
  get: (headers: Record<string, unknown>, name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  },
};
const toHeaders = {
  set: (headers: Record<string, string>, name: string, value: string) => {
    headers[name] = value;
  },
};

const tracerOf = (provider: BasicTracerProvider): Tracer => {
  const tracer = provider.getTracer(scope);
  return {
    span: ({ name, kind = "internal", attributes = {}, parent }, work) => {
      const around = parent ? propagator.extract(ROOT_CONTEXT, parent, fromHeaders) : context.active();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, around);
      const ours: Span = {
        set: (more) => void span.setAttributes(more),
        name: (better) => void span.updateName(better),
      };
      return context.with(trace.setSpan(around, span), async () => {
        try {
          return await work(ours);
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
          throw error;
        } finally {
          span.end();
        }
      });
    },
    current: () => {
      const found = trace.getSpanContext(context.active());
      return found ? { trace_id: found.traceId, span_id: found.spanId } : null;
    },
    headers: () => {
      const headers: Record<string, string> = {};
      propagator.inject(context.active(), headers, toHeaders);
      return headers;
    },
  };
};

// ── Metrics ─────────────────────────────────────────────────────────────────────────────────────────

type HighResolution = [seconds: number, nanoseconds: number];
const startedAt: HighResolution = [Math.floor(performance.timeOrigin / 1_000), 0];

const metricsOf = (registry: Registry, snapshot: ReturnType<Registry["snapshot"]>): MetricData[] => {
  const definitions = new Map(registry.definitions().map((definition) => [definition.name, definition]));
  const endTime: HighResolution = [Math.floor((performance.timeOrigin + performance.now()) / 1_000), 0];
  return snapshot.flatMap(({ name, samples }) => {
    const definition = definitions.get(name);
    return definition ? [metricOf(definition, samples, endTime)] : [];
  });
};

const metricOf = (definition: Definition, samples: Sample[], endTime: HighResolution): MetricData => {
  const { otelName: name, unit, help: description, kind, buckets } = definition;
  const point = ({ labels }: Sample) => ({
    startTime: startedAt,
    endTime,
    attributes: Object.fromEntries(Object.keys(definition.labels).map((label, index) => [label, labels[index] ?? ""])),
  });
  const descriptor = { name, unit, description, valueType: 1, type: instruments[kind] };
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  if (kind === "histogram") {
    return {
      descriptor,
      aggregationTemporality,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: samples.flatMap((sample) =>
        "counts" in sample
          ? [
              {
                ...point(sample),
                value: {
                  buckets: { boundaries: [...buckets], counts: sample.counts },
                  sum: sample.sum,
                  count: sample.counts.reduce((sum, count) => sum + count, 0),
                },
              },
            ]
          : [],
      ),
    };
  }
  const dataPoints = samples.flatMap((sample) =>
    "value" in sample ? [{ ...point(sample), value: sample.value }] : [],
  );
  return kind === "counter"
    ? { descriptor, aggregationTemporality, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints };
};

const instruments = {
  counter: InstrumentType.COUNTER,
  gauge: InstrumentType.GAUGE,
  histogram: InstrumentType.HISTOGRAM,
};
