/**
 * Metrics of all workers. Whoever is asked for them, the primary collects them: from each worker its own, with the worker's
 * number as a label, and from one of them the figures of the database.
 */
import type { Worker } from "node:cluster";
import { registry } from "#app/platform/metrics/metrics.ts";
import type { Snapshot } from "#app/platform/metrics/registry.ts";
import { prometheusText } from "#app/platform/metrics/text.ts";
import type { Build } from "./build.ts";

/** From the primary to a worker. */
export type MetricsRequest =
  | { kind: "collect"; id: number; service: boolean }
  | { kind: "scraped"; id: number; text: string };
/** From a worker to the primary. */
export type MetricsMessage = { kind: "collected"; id: number; snapshot: Snapshot } | { kind: "scrape"; id: number };

/** A worker that is silent for longer, as while it is busy, is missing in this scrape. */
const collectLimitMs = 4_000;
const scrapeLimitMs = 6_000;

/** Pairs answers with questions. */
const questions = <Answer>() => {
  const open = new Map<number, (answer: Answer) => void>();
  let last = 0;
  return {
    ask: (limitMs: number, send: (id: number) => void): Promise<Answer | null> =>
      new Promise((resolve) => {
        const id = ++last;
        const end = (answer: Answer | null) => {
          clearTimeout(timer);
          open.delete(id);
          resolve(answer);
        };
        const timer = setTimeout(() => end(null), limitMs);
        open.set(id, end);
        send(id);
      }),
    answered: (id: number, answer: Answer): void => open.get(id)?.(answer),
  };
};

/** @param workers those that run now, by their number */
export const metricsCollector = (workers: ReadonlyMap<Worker, number>) => {
  const collecting = questions<Snapshot>();
  const collect = async (worker: Worker, number: number, service: boolean) => {
    const snapshot = await collecting.ask(collectLimitMs, (id) => {
      const request: MetricsRequest = { kind: "collect", id, service };
      if (worker.isConnected()) worker.send(request);
    });
    return snapshot === null ? [] : [{ worker: String(number), snapshot }];
  };
  const scrape = async (): Promise<string> => {
    const snapshots = await Promise.all(
      [...workers].map(([worker, number], index) => collect(worker, number, index === 0)),
    );
    const own = { worker: null, snapshot: registry.snapshot({ service: false }) };
    return prometheusText(registry.definitions(), [own, ...snapshots.flat()]);
  };
  return {
    scrape,
    onMessage: (worker: Worker, message: MetricsMessage): void => {
      if (message.kind === "collected") collecting.answered(message.id, message.snapshot);
      else
        void scrape().then((text) => {
          const answer: MetricsRequest = { kind: "scraped", id: message.id, text };
          if (worker.isConnected()) worker.send(answer);
        });
    },
  };
};

/** In a worker: answers the primary, and asks it for the metrics of all. */
export const answerPrimary = (service: Build["entry"]["module"], tell: (message: MetricsMessage) => unknown): void => {
  const scraping = questions<string>();
  process.on("message", (message: MetricsRequest) => {
    if (message.kind === "scraped") scraping.answered(message.id, message.text);
    else if (message.kind === "collect") {
      void service
        .readMetrics({ service: message.service })
        .then((snapshot) => tell({ kind: "collected", id: message.id, snapshot }));
    }
  });
  service.scrapeWith(async () => {
    const text = await scraping.ask(scrapeLimitMs, (id) => tell({ kind: "scrape", id }));
    if (text === null) throw new Error("The primary process did not answer in time");
    return text;
  });
};
