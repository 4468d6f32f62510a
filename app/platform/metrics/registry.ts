/**
 * Counters, gauges and histograms, defined once in OpenTelemetry's terms. Adding to one is a map look-up and an addition;
 * everything else happens when somebody reads them (docs/decisions/0052-insight.md).
 */

/** A label whose values are not listed here. Says what bounds them. */
type BoundedBy = { boundedBy: string };
type LabelTypes = Readonly<Record<string, readonly string[] | BoundedBy>>;

export const boundedBy = (what: string): BoundedBy => ({ boundedBy: what });

export type LabelValues<Labels extends LabelTypes> = {
  [Name in keyof Labels]: Labels[Name] extends readonly string[] ? Labels[Name][number] : string;
};

export type Kind = "counter" | "gauge" | "histogram";

export type Definition = {
  kind: Kind;
  /** OpenTelemetry's name: `http.server.request.duration`. */
  otelName: string;
  /** UCUM: `s`, `By`, `1` for a ratio, `{request}` for a count. */
  unit: string;
  help: string;
  labels: LabelTypes;
  /** Upper bounds, of histograms. */
  buckets: readonly number[];
  /** `process`: each process has its own values. `service`: one process reads them for all, from the database. */
  scope: "process" | "service";
  /** Prometheus' name: `http_server_request_duration_seconds`. */
  name: string;
};

export type Sample = { labels: string[] } & ({ value: number } | { counts: number[]; sum: number });
/** What one process knows, by Prometheus' name. The values of labels are in the order of their definition. */
export type Snapshot = { name: string; samples: Sample[] }[];

export type Counter<Labels extends LabelTypes> = {
  add(labels: LabelValues<Labels>, by?: number): void;
  /** For totals that somebody else counts. */
  set(labels: LabelValues<Labels>, total: number): void;
};
export type Gauge<Labels extends LabelTypes> = {
  set(labels: LabelValues<Labels>, value: number): void;
  /** Forgets all values: what is not set again is no longer reported. */
  clear(): void;
};
export type Histogram<Labels extends LabelTypes> = {
  observe(labels: LabelValues<Labels>, value: number): void;
  /** For hot paths: the look-up of these labels, done once. */
  at(labels: LabelValues<Labels>): (value: number) => void;
};

type Options<Labels extends LabelTypes> = {
  unit: string;
  help: string;
  labels?: Labels;
  scope?: Definition["scope"];
};

/** Labels come from closed sets. Should one not, all further values count together, so that memory stays bounded. */
const mostSeries = 2_000;
const otherValue = "_other";

const unitSuffixes: Record<string, string> = { s: "_seconds", By: "_bytes", "1": "_ratio" };

/** @see https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/ */
export const prometheusName = (otelName: string, unit: string, kind: Kind): string =>
  `${otelName.replaceAll(".", "_")}${unitSuffixes[unit] ?? ""}${kind === "counter" ? "_total" : ""}`;

export const labelName = (otelName: string): string => otelName.replaceAll(".", "_");

type Instrument = { definition: Definition; samples(): Sample[] };

export const createRegistry = () => {
  const instruments = new Map<string, Instrument>();
  const collectors: (() => void)[] = [];

  const define = <Labels extends LabelTypes, State>(
    kind: Kind,
    otelName: string,
    { unit, help, labels, scope = "process" }: Options<Labels>,
    buckets: readonly number[],
    initial: () => State,
    sampleOf: (state: State) => { value: number } | { counts: number[]; sum: number },
  ) => {
    const name = prometheusName(otelName, unit, kind);
    if (instruments.has(name)) throw new Error(`The metric ${name} is defined twice`);
    const names = Object.keys(labels ?? {});
    const series = new Map<string, { labels: string[]; state: State }>();
    const stateAt = (values: string[]): State => {
      const key = values.length === 1 ? (values[0] ?? "") : values.join("\n");
      const found = series.get(key);
      if (found) return found.state;
      if (series.size >= mostSeries && values[0] !== otherValue) return stateAt(values.map(() => otherValue));
      const state = initial();
      series.set(key, { labels: values, state });
      return state;
    };
    const definition = { kind, otelName, unit, help, labels: labels ?? {}, buckets, scope, name };
    const samples = () => [...series.values()].map((one) => ({ labels: one.labels, ...sampleOf(one.state) }));
    instruments.set(name, { definition, samples });
    const stateOf = (values: LabelValues<Labels>): State =>
      stateAt(names.map((label) => (values as Record<string, string>)[label] ?? ""));
    return { stateOf, clear: () => series.clear() };
  };

  return {
    counter: <const Labels extends LabelTypes>(otelName: string, options: Options<Labels>): Counter<Labels> => {
      const { stateOf } = define(
        "counter",
        otelName,
        options,
        [],
        () => ({ value: 0 }),
        ({ value }) => ({ value }),
      );
      return {
        add: (labels, by = 1) => {
          stateOf(labels).value += by;
        },
        set: (labels, total) => {
          stateOf(labels).value = total;
        },
      };
    },

    gauge: <const Labels extends LabelTypes>(otelName: string, options: Options<Labels>): Gauge<Labels> => {
      const { stateOf, clear } = define(
        "gauge",
        otelName,
        options,
        [],
        () => ({ value: 0 }),
        ({ value }) => ({ value }),
      );
      return {
        set: (labels, value) => {
          stateOf(labels).value = value;
        },
        clear,
      };
    },

    histogram: <const Labels extends LabelTypes>(
      otelName: string,
      { buckets, ...options }: Options<Labels> & { buckets: readonly number[] },
    ): Histogram<Labels> => {
      const initial = () => ({ counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 });
      const { stateOf } = define("histogram", otelName, options, buckets, initial, ({ counts, sum }) => ({
        counts: [...counts],
        sum,
      }));
      const at = (labels: LabelValues<Labels>) => {
        const state = stateOf(labels);
        return (value: number) => {
          let bucket = 0;
          while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket += 1;
          (state.counts[bucket] as number) += 1;
          state.sum += value;
        };
      };
      return { at, observe: (labels, value) => at(labels)(value) };
    },

    /** Called before each reading, to set gauges of things that are cheaper to ask than to follow. */
    onRead: (collect: () => void): void => {
      collectors.push(collect);
    },

    definitions: (): Definition[] => [...instruments.values()].map(({ definition }) => definition),

    /** Metrics without a value are left out. */
    snapshot: (scope: { service: boolean }): Snapshot => {
      for (const collect of collectors) collect();
      return [...instruments.values()].flatMap(({ definition, samples }) => {
        if (definition.scope === "service" && !scope.service) return [];
        const values = samples();
        return values.length === 0 ? [] : [{ name: definition.name, samples: values }];
      });
    },
  };
};

export type Registry = ReturnType<typeof createRegistry>;
