/** What monitoring sees of queues, renewals, charges and jobs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../platform/metrics/metrics.ts";
import { subscribe, testCards } from "../../testing/purchases.ts";
import { appUrl, createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { allJobs } from "../jobs/registry.server.ts";
import { runJobAlone } from "../jobs/run.server.ts";
import { quotaReached } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { chargeDueRenewals } from "../subscriptions/charge-renewals.server.ts";
import { type Figures, serviceFigures } from "./figures.server.ts";

let world: World;
let figures: Figures;
let caller: Caller;
beforeAll(async () => {
  world = await createWorld();
  ({ caller } = await world.account());
  const started = { at: world.clock.now(), really: world.deviceClock.now() };
  figures = serviceFigures(world.ctx, { usesInngest: false, started });
});
afterAll(() => world.close());

/** The sum of the metric's values with these labels. */
const read = (name: string, ...labels: string[]): number =>
  (registry.snapshot({ service: true }).find((metric) => metric.name === name)?.samples ?? [])
    .filter((sample) => labels.every((label) => sample.labels.includes(label)))
    .reduce((sum, sample) => sum + ("value" in sample ? sample.value : sample.counts.reduce((a, b) => a + b, 0)), 0);

/** As a scrape after the figures of the last one have expired. */
const scrape = async () => {
  world.deviceClock.set(new Date(world.deviceClock.now().getTime() + 60 * 60_000).toISOString());
  await figures.refresh();
};
const at = (instant: string) => world.clock.set(instant);

describe("The figures of the service", () => {
  it("count what is due in the outbox, and for how long", async () => {
    const message = quotaReached(appUrl, { percent: 80, limit: 10, used: 8, resetsAt: world.clock.now() });
    await enqueue(world.ctx.db, { ...message, dedupeKey: "figures", accountId: caller.account.id }, world.clock.now());
    at("2026-11-20T09:40:00Z");
    await scrape();
    expect(read("queue_due", "mail")).toBe(1);
    expect(read("queue_oldest_age_seconds", "mail")).toBe(600);
  });

  it("are read again only after some seconds", async () => {
    const before = read("queue_oldest_age_seconds", "mail");
    at("2026-11-20T09:50:00Z");
    await figures.refresh();
    expect(read("queue_oldest_age_seconds", "mail")).toBe(before);
    await scrape();
    expect(read("queue_oldest_age_seconds", "mail")).toBe(before + 600);
  });

  it("tell renewals that are due from those that are late, and charges by outcome and reason", async () => {
    const bought = read("payment_charges_total", "purchase", "succeeded");
    const declined = read("payment_charges_total", "renewal", "declined", "card_declined");
    await subscribe(world, caller, { term: "1_month", card: testCards.declinedOffSession });
    expect(read("payment_charges_total", "purchase", "succeeded")).toBe(bought + 1);
    await scrape();
    expect([read("queue_due", "renewals"), read("renewals_late")]).toEqual([0, 0]);
    at("2026-12-17T06:00:00Z");
    await scrape();
    expect([read("queue_due", "renewals"), read("renewals_late")]).toEqual([1, 0]);
    expect(read("queue_oldest_age_seconds", "renewals")).toBe(6 * 3_600);
    at("2026-12-18T06:00:00Z");
    await scrape();
    expect([read("queue_due", "renewals"), read("renewals_late")]).toEqual([1, 1]);
    await chargeDueRenewals(world.ctx);
    expect(read("payment_charges_total", "renewal", "declined", "card_declined")).toBe(declined + 1);
    await scrape();
    expect([read("queue_due", "renewals"), read("renewals_late")]).toEqual([0, 0]);
  });

  it("have the last success and the runs of each job", async () => {
    const job = allJobs.find(({ id }) => id === "send-mail");
    if (!job) throw new Error("There is no such job");
    const runs = read("job_run_duration_seconds", "send-mail", "succeeded");
    const sent = read("mail_messages_total", "sent");
    await runJobAlone(world.ctx, job, new AbortController().signal);
    await scrape();
    expect(read("job_run_duration_seconds", "send-mail", "succeeded")).toBe(runs + 1);
    expect(read("job_last_success_timestamp_seconds", "send-mail")).toBe(world.clock.now().getTime() / 1_000);
    expect(read("mail_messages_total", "sent")).toBeGreaterThan(sent);
    expect(read("queue_due", "mail")).toBe(0);
  });
});
