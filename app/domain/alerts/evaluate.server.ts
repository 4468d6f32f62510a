/**
 * Raises alerts about changes of route data. Changes are read in the order of their ids, each in the transaction that
 * stores its alerts, so that a change is evaluated exactly once, however late and however often the job is interrupted.
 */
import type { Tx } from "../../platform/db.server.ts";
import { isoPortTime } from "../catalogue/port-time.ts";
import type { Context } from "../context.ts";
import { addDays, dayOf, isoInstant, startOf } from "../dates.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue.server.ts";
import { decide, type ReportKind, reportKinds, type SailingTimes, slipOf } from "./decide.ts";
import * as queries from "./evaluation-queries.server.ts";
import type { AlertFigures } from "./figures.ts";
import type { LastKnown } from "./last-known.ts";
import { alertRetentionDays } from "./policy.ts";
import { rememberSailings } from "./watch-queries.server.ts";
import { alertSummary } from "./wording.ts";

type World = Pick<Context, "db" | "clock">;

/** Changes of one transaction. */
const portion = 2_000;

/**
 * Evaluates the changes since the last run, and then which data is late.
 *
 * @param signal stops after the current portion
 * @returns how many alerts were raised
 */
export const evaluateAlerts = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  let raised = 0;
  for (let next: number | null = 0; next !== null && !signal?.aborted; ) {
    next = await evaluatePortion(ctx);
    raised += next ?? 0;
  }
  return signal?.aborted ? raised : raised + (await evaluateLateness(ctx));
};

/** @returns how many alerts were raised; null if all changes are evaluated */
const evaluatePortion = (ctx: World): Promise<number | null> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const today = dayOf(now);
    const after = await queries.lockProgress(tx);
    const upTo = await queries.lastOfNext(tx, after, portion);
    if (upTo === null) return null;
    const range = { after, upTo };
    const raised = [
      ...(await decideReports(tx, await withLastRates(tx, await queries.watchedReports(tx, range, today)))),
      ...(await queries.movedSailings(tx, range, { now, today })).flatMap(slipAlert),
    ];
    await rememberSailings(tx, await queries.watchesOfSchedules(tx, range), now);
    await queries.saveProgress(tx, upTo);
    return raise(tx, raised, now);
  });

type Raised = { watched: Watched; factKey: string; figures: AlertFigures; occurredAt: Date };
type Watched = Pick<queries.WatchedReport, "watchId" | "accountId" | "route">;

/**
 * A rate report without surcharges has no all-in rate. A report after it is compared with the last one that has, and not
 * with nothing.
 */
const withLastRates = async (tx: Tx, reports: queries.WatchedReport[]): Promise<queries.WatchedReport[]> => {
  const lacksRate = ({ before, after }: queries.WatchedReport) =>
    before !== null && before.allInCents === null && after.allInCents !== null;
  const changeIds = new Set(reports.filter(lacksRate).map(({ changeId }) => changeId));
  const lastRates = await queries.lastRatesBefore(tx, [...changeIds]);
  return reports.map((report) => {
    const before = lastRates.get(report.changeId);
    return before === undefined ? report : { ...report, before };
  });
};

/** Decides report by report, each from the figures after the previous one, and stores the last figures. */
const decideReports = async (tx: Tx, reports: queries.WatchedReport[]): Promise<Raised[]> => {
  const watchIds = [...new Set(reports.map(({ watchId }) => watchId))];
  const lastKnownOf = new Map((await queries.baselinesOf(tx, watchIds)).map((row) => [keyOf(row), row.lastKnown]));
  const changed = new Map<string, Omit<queries.Baseline, "lastKnown"> & { lastKnown: LastKnown | null }>();
  const raised: Raised[] = [];
  for (const report of reports) {
    for (const kind of reportKinds) {
      const baseline = { watchId: report.watchId, kind, routeId: report.route.id, series: seriesOf(report) };
      const key = keyOf(baseline);
      const { alert, next } = decide(kind, report.rules, lastKnownOf.get(key) ?? null, report);
      if (alert) {
        const occurredAt = new Date(report.occurredAt);
        raised.push({ watched: report, factKey: factKeyOf(kind, report), figures: alert, occurredAt });
      }
      if (next === undefined) continue;
      changed.set(key, { ...baseline, lastKnown: next });
      if (next === null) lastKnownOf.delete(key);
      else lastKnownOf.set(key, next);
    }
  }
  const rows = [...changed.values()];
  await queries.saveBaselines(
    tx,
    rows.flatMap(({ lastKnown, ...row }) => (lastKnown === null ? [] : [{ ...row, lastKnown }])),
  );
  await queries.deleteBaselines(
    tx,
    rows.filter(({ lastKnown }) => lastKnown === null),
  );
  return raised;
};

const keyOf = ({ watchId, kind, routeId, series }: Omit<queries.Baseline, "lastKnown">) =>
  `${watchId} ${kind} ${routeId} ${series}`;

const seriesOf = ({ series }: Pick<queries.WatchedReport, "series">) =>
  `${series.serviceLevel} ${series.equipmentType}`.trim();

/**
 * Several watches of an account may see the same fact; it raises one alert. A booking status is reported once a day at
 * most, as real-time data may go back and forth between two.
 */
const factKeyOf = (kind: ReportKind, report: queries.WatchedReport): string => {
  const { route, changeId, rules, after, occurredAt } = report;
  const fact = [kind, route.id, seriesOf(report)];
  switch (kind) {
    case "rate_change":
      return [...fact, changeId].join(":");
    case "all_in_below":
      return [...fact, rules.allInBelowCents, changeId].join(":");
    case "all_in_above":
      return [...fact, rules.allInAboveCents, changeId].join(":");
    case "capacity_below":
      return [...fact, rules.capacityBelow, changeId].join(":");
    case "booking_status":
      return [...fact, after.bookingStatus, dayOf(new Date(occurredAt))].join(":");
  }
};

/** Once for every multiple of the days that the watch asks for. */
const slipAlert = (sailing: queries.WatchedSailing): Raised[] => {
  const { first, current, rules, sailingId, serviceCode, voyage, originTimezone, destinationTimezone, occurredAt } =
    sailing;
  const days = rules.scheduleSlipDays;
  if (days === null) return [];
  const slip = slipOf(timesOf(first), timesOf(current));
  if (slip !== "withdrawn" && slip < days) return [];
  const step = slip === "withdrawn" ? slip : Math.floor(slip / days) * days;
  return [
    {
      watched: sailing,
      factKey: `schedule_slip:${sailingId}:${step}`,
      figures: {
        kind: "schedule_slip",
        service_code: serviceCode,
        voyage,
        withdrawn: slip === "withdrawn",
        etd_before: isoPortTime(new Date(first.etd), originTimezone),
        etd_after: isoPortTime(new Date(current.etd), originTimezone),
        eta_before: isoPortTime(new Date(first.eta), destinationTimezone),
        eta_after: isoPortTime(new Date(current.eta), destinationTimezone),
      },
      occurredAt: new Date(occurredAt),
    },
  ];
};

const timesOf = ({ etd, eta, cancelled }: queries.WatchedSailing["first"]): SailingTimes => ({
  etd: new Date(etd),
  eta: new Date(eta),
  cancelled,
});

/** Late data raises one alert, until new data comes and is late again. */
const evaluateLateness = (ctx: World): Promise<number> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const late = await queries.stalePeriods(tx, { now, today: dayOf(now) });
    const raised = late.map(({ periodId, periodName, dataAsOf, ...watched }): Raised => {
      const asOf = dataAsOf === null ? null : isoInstant(new Date(dataAsOf));
      return {
        watched,
        factKey: `data_stale:${periodId}:${asOf ?? "none"}`,
        figures: { kind: "data_stale", period_id: periodId, period_name: periodName, data_as_of: asOf },
        occurredAt: now,
      };
    });
    return raise(tx, raised, now);
  });

/** Stores the alerts of facts that have none yet, with their webhooks. @returns how many */
const raise = async (tx: Tx, raised: Raised[], now: Date): Promise<number> => {
  const rows = raised.map(({ watched: { watchId, accountId, route }, factKey, figures, occurredAt }) => {
    return { accountId, watchId, routeId: route.id, factKey, figures, occurredAt: isoInstant(occurredAt) };
  });
  const stored = await queries.insertAlerts(tx, rows, now);
  const byFact = new Map(raised.map((each) => [`${each.watched.accountId} ${each.factKey}`, each]));
  await enqueueWebhookEvents(
    tx,
    stored.flatMap(({ id, accountId, watchId, factKey }) => {
      const fact = byFact.get(`${accountId} ${factKey}`);
      if (!fact) return [];
      const { route } = fact.watched;
      const data = {
        ...{ alert_id: id, watch_id: watchId, rule: fact.figures.kind },
        ...{ route_id: route.id, route_code: route.code, route_name: route.name },
        summary: alertSummary(fact.figures),
      };
      return [{ type: "alert.triggered" as const, accountId, key: `alert:${id}`, data, at: now }];
    }),
  );
  return stored.length;
};

/** Deletes alerts that are older than they are kept. @returns how many */
export const deleteOldAlerts = (ctx: World): Promise<number> =>
  ctx.db.transaction(async (tx) => {
    const before = startOf(addDays(dayOf(ctx.clock.now()), -alertRetentionDays));
    await queries.forgetSailingsBefore(tx, before);
    return queries.deleteAlertsBefore(tx, before);
  });
