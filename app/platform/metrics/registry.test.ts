import { describe, expect, it } from "vitest";
import { boundedBy, createRegistry } from "./registry.ts";
import { prometheusText } from "./text.ts";

const textOf = (registry: ReturnType<typeof createRegistry>, worker: string | null = null) =>
  prometheusText(registry.definitions(), [{ worker, snapshot: registry.snapshot({ service: true }) }]).split("\n");

describe("Metrics", () => {
  it("are written in Prometheus' format, with names that follow from OpenTelemetry's", () => {
    const registry = createRegistry();
    const sent = registry.counter("mail.messages", {
      unit: "{message}",
      help: "Sent \\ or\nnot.",
      labels: { "mail.outcome": ["sent", 'fa"iled'] },
    });
    sent.add({ "mail.outcome": "sent" }, 2);
    sent.add({ "mail.outcome": 'fa"iled' });
    sent.add({ "mail.outcome": "sent" });
    registry.gauge("process.resident_memory", { unit: "By", help: "Memory." }).set({}, 1024);
    registry.gauge("unused", { unit: "s", help: "Has no value." });
    expect(textOf(registry)).toEqual([
      "# HELP mail_messages_total Sent \\\\ or\\nnot.",
      "# TYPE mail_messages_total counter",
      'mail_messages_total{mail_outcome="sent"} 3',
      'mail_messages_total{mail_outcome="fa\\"iled"} 1',
      "# HELP process_resident_memory_bytes Memory.",
      "# TYPE process_resident_memory_bytes gauge",
      "process_resident_memory_bytes 1024",
      "",
    ]);
  });

  it("count observations cumulatively, a bound included", () => {
    const registry = createRegistry();
    const took = registry.histogram("job.duration", { unit: "s", help: "Time.", buckets: [0.5, 2] });
    for (const seconds of [0.25, 0.5, 1, 8]) took.observe({}, seconds);
    expect(textOf(registry, "2").slice(2)).toEqual([
      'job_duration_seconds_bucket{worker="2",le="0.5"} 2',
      'job_duration_seconds_bucket{worker="2",le="2"} 3',
      'job_duration_seconds_bucket{worker="2",le="+Inf"} 4',
      'job_duration_seconds_sum{worker="2"} 9.75',
      'job_duration_seconds_count{worker="2"} 4',
      "",
    ]);
  });

  it("keep their memory bounded, whatever values a label gets", () => {
    const registry = createRegistry();
    const counted = registry.counter("seen", { unit: "{path}", help: "Paths.", labels: { path: boundedBy("a test") } });
    for (let path = 0; path < 5_000; path++) counted.add({ path: `/${path}` });
    const samples = registry.snapshot({ service: false })[0]?.samples ?? [];
    expect(samples.length).toBeLessThanOrEqual(2_001);
    expect(samples.at(-1)).toEqual({ labels: ["_other"], value: 3_000 });
  });

  it("of the whole service are read in one process, and have no worker's number", () => {
    const registry = createRegistry();
    const due = registry.gauge("queue.due", { unit: "{item}", help: "Due.", scope: "service" });
    due.set({}, 7);
    expect(registry.snapshot({ service: false })).toEqual([]);
    expect(textOf(registry, "1")).toContain("queue_due 7");
  });

  it("have one definition for each name", () => {
    const registry = createRegistry();
    registry.gauge("a.b", { unit: "s", help: "One." });
    expect(() => registry.gauge("a_b", { unit: "s", help: "Two." })).toThrow("a_b_seconds is defined twice");
  });
});
