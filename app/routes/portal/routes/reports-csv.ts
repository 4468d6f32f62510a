/** All reports of a period as CSV, with the API's names and units. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { allInCents } from "#app/domain/catalogue/rate-report.ts";
import type { Report } from "#app/domain/catalogue/report.ts";
import { type Cell, csvLines } from "#app/domain/csv.ts";
import { isoInstant } from "#app/domain/dates.ts";
import { findPeriod, readWholePeriod } from "#app/domain/subscriptions/read-period.server.ts";
import { fileName, fileResponse, orNoFile, streamOf, visitForFile } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const ids = { routeId: idOf(args.params.route_id), periodId: idOf(args.params.period_id) };
  const { ctx, caller } = await visitForFile(args, `/routes/${ids.routeId}/periods/${ids.periodId}`);
  const { period } = await orNoFile(findPeriod(ctx, caller, ids));
  const body = await orNoFile(streamOf(linesOf(readWholePeriod(ctx, caller, ids))));
  return fileResponse(body, { name: fileName(period.code, "csv"), type: "text/csv" });
};

async function* linesOf(batches: AsyncGenerator<Report[]>): AsyncGenerator<string> {
  let header: Cell[][] = [Object.keys(columns)];
  for await (const batch of batches) {
    yield csvLines([...header, ...batch.map((report) => Object.values(columns).map((cellOf) => cellOf(report)))]);
    header = [];
  }
}

const instant = (value: Date | null) => value && isoInstant(value);

const columns: Record<string, (report: Report) => Cell> = {
  id: ({ id }) => id,
  observed_at: ({ observedAt }) => isoInstant(observedAt),
  report_type: ({ type }) => type,
  service_level: ({ serviceLevel }) => serviceLevel,
  equipment_type: ({ equipmentType }) => equipmentType || null,
  vessel: ({ vessel }) => vessel,
  voyage: ({ voyage }) => voyage,
  etd: ({ etd }) => instant(etd),
  eta: ({ eta }) => instant(eta),
  transit_days: ({ transitDays }) => transitDays,
  basis: ({ basis }) => basis,
  currency: ({ currency }) => currency,
  base_rate_cents: ({ baseRateCents }) => baseRateCents,
  surcharges: (report) => surchargesText(report),
  surcharges_cents: ({ surchargesCents }) => surchargesCents,
  all_in_cents: (report) => allInCents(report),
  available_capacity: ({ availableCapacity }) => availableCapacity,
  capacity_unit: ({ capacityUnit }) => capacityUnit,
  booking_status: ({ bookingStatus }) => bookingStatus,
  on_time_percent: ({ onTimePercent }) => onTimePercent,
  mean_delay_days: ({ meanDelayDays }) => meanDelayDays,
};

/** `BAF 62000 USD|DTHC 24500 EUR at 1.0931 (ECB 2026-11-13)`: amounts in minor units of each surcharge's own currency. */
const surchargesText = ({ surcharges, currency }: Report): string | null =>
  surcharges === null
    ? null
    : surcharges
        .map(({ code, amountCents, currency: own, exchangeRate }) => {
          const applied = exchangeRate ? ` at ${exchangeRate.rate} (${exchangeRate.source} ${exchangeRate.asOf})` : "";
          return `${code} ${amountCents} ${own ?? currency}${applied}`;
        })
        .join("|");
