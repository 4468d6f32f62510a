/** Figures about the whole service, read from the database when somebody asks for metrics, and at most every few seconds. */
import * as metrics from "../../platform/metrics/metrics.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import { lateness } from "../catalogue/late-data.server.ts";
import type { Context } from "../context.ts";
import { lastSuccesses, type ProcessStart, standingOf } from "../jobs/standing.server.ts";
import { type QueueFigures, readQueues } from "./queries.server.ts";

type World = Pick<Context, "db" | "clock" | "deviceClock" | "log">;

/** Scrapes that come more often get the figures of the last reading. */
const queuesMaxAgeMs = 10_000;
/** Reads the latest observation of every open period, so it is read less often. */
const dataMaxAgeMs = 300_000;
/** A scrape must not wait longer. The reading goes on, and the next scrape has its figures. */
const waitMs = 2_000;

export type Figures = {
  /** Sets the gauges of the scope `service`, as far as the database answers in time. Never fails. */
  refresh(): Promise<void>;
};

export const serviceFigures = (ctx: World, process: ProcessStart): Figures => {
  const queues = bounded(ctx, queuesMaxAgeMs, async () => {
    setQueues(await readQueues(ctx.db, ctx.clock.now()));
    const [{ overdueJobs }, successes] = await Promise.all([standingOf(ctx, process), lastSuccesses(ctx)]);
    metrics.jobsOverdue.set({}, overdueJobs.length);
    metrics.jobLastSuccess.clear();
    for (const { job, at } of successes) metrics.jobLastSuccess.set({ job }, at.getTime() / 1_000);
  });
  const data = bounded(ctx, dataMaxAgeMs, async () => {
    const { late, longestMs } = await lateness(ctx);
    metrics.periodsLate.set({}, late);
    metrics.dataDelay.set({}, longestMs / 1_000);
  });
  return {
    refresh: async () => {
      await Promise.race([Promise.all([queues.refresh(), data.refresh()]), pause(waitMs)]);
      metrics.figuresAge.set({}, queues.ageMs() / 1_000);
    },
  };
};

const setQueues = ({ mail, webhooks, renewals, orders, imports }: QueueFigures) => {
  for (const [queue, figures] of Object.entries({ mail, webhooks, renewals, orders })) {
    const labels = { queue: queue as "mail" | "webhooks" | "renewals" | "orders" };
    metrics.queueDue.set(labels, figures.due);
    metrics.queueOldestAge.set(labels, figures.oldestSeconds);
  }
  metrics.renewalsLate.set({}, renewals.other);
  metrics.ordersOpen.set({}, orders.other);
  metrics.importsRunning.set({}, imports.due);
  metrics.importSilence.set({}, imports.oldestSeconds);
};

/** One reading at a time, and none while the last one is younger than `maxAgeMs`. */
const bounded = ({ deviceClock, log }: World, maxAgeMs: number, read: () => Promise<void>) => {
  const madeAt = deviceClock.now().getTime();
  let readAt: number | null = null;
  let reading: Promise<void> | null = null;
  const now = () => deviceClock.now().getTime();
  return {
    ageMs: () => now() - (readAt ?? madeAt),
    refresh: (): Promise<void> => {
      if (readAt !== null && now() - readAt < maxAgeMs) return Promise.resolve();
      reading ??= asLongWork(read)
        .then(() => {
          readAt = now();
        })
        .catch((error) => log.warn("The figures for monitoring were not read", { reason: String(error) }))
        .finally(() => {
          reading = null;
        });
      return reading;
    },
  };
};

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
