/** The alert rules and the dashboard use metrics, labels and label values that the service has. */
import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { registry } from "./metrics.ts";
import { labelName } from "./registry.ts";

const file = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
};
const rules = (parse(file("deploy/alerts.yml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);

type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] };
const panels = (JSON.parse(file("deploy/grafana-dashboard.json")) as { panels: Panel[] }).panels;
const targets = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

/** Each series that Prometheus stores for a metric, with the labels that it may have. */
const series = new Map(
  registry.definitions().flatMap(({ name, kind, labels, scope }) => {
    const known = new Map<string, readonly string[] | null>(
      Object.entries(labels).map(([label, values]) => [labelName(label), Array.isArray(values) ? values : null]),
    );
    if (scope === "process") known.set("worker", null);
    if (kind !== "histogram") return [[name, known] as const];
    return ["_bucket", "_sum", "_count"].map(
      (suffix) => [name + suffix, suffix === "_bucket" ? new Map([...known, ["le", null]]) : known] as const,
    );
  }),
);

/** @returns what is wrong with an expression; empty if nothing is */
const complaintsAbout = (expr: string): string[] => {
  const text = expr.replaceAll("$__rate_interval", "5m");
  const complaints: string[] = [];
  const names: string[] = [];
  const grouped: string[] = [];
  parser.parse(text).iterate({
    enter: (node) => {
      const words = text.slice(node.from, node.to);
      if (node.type.isError) complaints.push(`no PromQL at "${text.slice(node.from, node.from + 30)}"`);
      if (node.name === "GroupingLabels")
        grouped.push(
          ...words
            .replace(/[()\s]/g, "")
            .split(",")
            .filter(Boolean),
        );
      if (node.name !== "VectorSelector") return;
      const [, name = "", matchers = ""] = /^([\w:]+)(?:\{(.*)\})?$/s.exec(words) ?? [];
      const labels = series.get(name);
      names.push(name);
      if (!labels) {
        complaints.push(`no metric ${name}`);
        return;
      }
      for (const [, label = "", operator = "", value = ""] of matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)) {
        const values = labels.get(label);
        if (values === undefined) complaints.push(`no label ${label} of ${name}`);
        const matches = operator.includes("~")
          ? (one: string) => new RegExp(`^(?:${value})$`).test(one)
          : (one: string) => one === value;
        if (values && !values.some(matches)) complaints.push(`no ${label} "${value}" of ${name}`);
      }
    },
  });
  if (names.length === 0) complaints.push("no metric at all");
  for (const label of grouped) {
    if (!names.some((name) => series.get(name)?.has(label))) complaints.push(`no label ${label}`);
  }
  return complaints;
};

test.each([
  ["sum(rate(no_such_metric[5m]))", "no metric no_such_metric"],
  ['queue_due{queue="parcels"}', 'no queue "parcels" of queue_due'],
  ['queue_due{colour="red"}', "no label colour of queue_due"],
  ["sum by (colour) (queue_due)", "no label colour"],
  ["sum by (queue (queue_due)", "no PromQL at"],
])("an expression with a mistake is noticed: %s", (expr, complaint) => {
  expect(complaintsAbout(expr).join()).toContain(complaint);
});

describe("The alert rules", () => {
  it.each(rules)("$alert: uses what the service measures", ({ expr }) => {
    expect(complaintsAbout(expr)).toEqual([]);
  });

  const operating = file("docs/operating.md");
  it.each(rules)("$alert: has a severity, a summary and a runbook", ({ alert, labels, annotations }) => {
    expect(["critical", "warning"]).toContain(labels.severity);
    expect(annotations.summary).not.toBe("");
    expect(annotations.runbook_url).toBe(`docs/operating.md#${alert.toLowerCase()}`);
    expect(operating).toContain(`\n### ${alert}\n`);
  });

  it("are each described once, and nothing else is", () => {
    const alarms = operating.split("\n## Alarms\n")[1]?.split("\n## ")[0] ?? "";
    const described = [...alarms.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(described).toEqual(rules.map(({ alert }) => alert));
  });
});

describe("The dashboard", () => {
  it.each(targets)("$title: uses what the service measures", ({ expr, legendFormat }) => {
    expect(complaintsAbout(expr)).toEqual([]);
    for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(expr).toContain(label);
  });

  it("shows every metric that is not only for alerts", () => {
    const shown = targets.map(({ expr }) => expr).join("\n");
    const notShown = registry.definitions().filter(({ name }) => !shown.includes(name));
    expect(notShown.map(({ name }) => name).sort()).toEqual([
      "nodejs_eventloop_delay_max_seconds",
      "nodejs_eventloop_delay_p50_seconds",
      "process_start_time_seconds",
      "service_build_info",
      "service_figures_age_seconds",
      "v8js_memory_heap_limit_bytes",
      "worker_restarts_total",
    ]);
  });
});
