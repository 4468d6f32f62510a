/** Snapshots in Prometheus' text format, version 0.0.4. @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { type Definition, labelName, type Sample, type Snapshot } from "./registry.ts";

export const textContentType = "text/plain; version=0.0.4; charset=utf-8";

/** @param sources `worker` null: the only process; otherwise its number, which becomes a label of its own values */
export const prometheusText = (
  definitions: readonly Definition[],
  sources: readonly { worker: string | null; snapshot: Snapshot }[],
): string =>
  definitions
    .flatMap((definition) => {
      const lines = sources.flatMap(({ worker, snapshot }) =>
        (snapshot.find(({ name }) => name === definition.name)?.samples ?? []).flatMap((sample) =>
          linesOf(definition, definition.scope === "service" ? null : worker, sample),
        ),
      );
      if (lines.length === 0) return [];
      const { name, help, kind } = definition;
      return [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${kind}`,
        ...lines,
      ];
    })
    .map((line) => `${line}\n`)
    .join("");

const linesOf = (definition: Definition, worker: string | null, sample: Sample): string[] => {
  const { name } = definition;
  const labels = Object.keys(definition.labels).map(
    (label, index) => `${labelName(label)}="${escaped(sample.labels[index] ?? "")}"`,
  );
  if (worker !== null) labels.push(`worker="${escaped(worker)}"`);
  if ("value" in sample) return [`${name}${braced(labels)} ${sample.value}`];
  let count = 0;
  const buckets = sample.counts.map((inBucket, index) => {
    count += inBucket;
    return `${name}_bucket${braced([...labels, `le="${definition.buckets[index] ?? "+Inf"}"`])} ${count}`;
  });
  return [...buckets, `${name}_sum${braced(labels)} ${sample.sum}`, `${name}_count${braced(labels)} ${count}`];
};

const braced = (labels: string[]): string => (labels.length === 0 ? "" : `{${labels.join(",")}}`);

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
