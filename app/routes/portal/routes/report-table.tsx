import { equipmentName } from "#app/domain/catalogue/equipment.ts";
import { allInCents } from "#app/domain/catalogue/rate-report.ts";
import type { ReportType } from "#app/domain/catalogue/route.ts";
import { CallTime } from "#app/portal/components/call-time.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatBasis, formatDay, formatDays, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import type { ReportView } from "#app/portal/report-view.ts";

type Props = { reports: readonly ReportView[]; type: ReportType | null };

/** Reports of one type get the columns of that type. Mixed types get one column that summarises each report. */
export const ReportTable = ({ reports, type }: Props) => (
  <Table
    caption="Reports"
    narrow
    rows={reports}
    rowKey={(report) => report.id}
    columns={[
      {
        key: "observed",
        header: "Observed",
        primary: true,
        cell: (report) => (
          <>
            <span className={type ? "sm:whitespace-nowrap" : "whitespace-nowrap"}>{formatDay(report.observedAt)}</span>
            {type ? <Small phone>{levelAndEquipment(report)}</Small> : null}
          </>
        ),
      },
      ...(type ? [] : [typeColumn]),
      {
        key: "level",
        header: "Service",
        desktopOnly: true,
        cell: (report) => formatWord(report.serviceLevel),
      },
      ...(type ? columnsOf[type] : [summaryColumn]),
    ]}
  />
);

const typeColumn: Column<ReportView> = {
  key: "type",
  header: "Report",
  desktopOnly: true,
  cell: ({ type }) => formatWord(type),
};

const levelAndEquipment = ({ serviceLevel, equipmentType }: ReportView) =>
  [formatWord(serviceLevel), equipmentType].filter(Boolean).join(", ");

const money = (cents: number | null, currency: string | null) =>
  cents === null || currency === null ? "–" : formatMoney(cents, currency);
const unit = ({ basis, currency }: ReportView) => (basis && currency ? `${currency} ${formatBasis(basis)}` : null);
const free = ({ availableCapacity, capacityUnit }: ReportView) =>
  availableCapacity === null || capacityUnit === null
    ? "–"
    : `${formatNumber(availableCapacity)} ${formatWord(capacityUnit)}`;
const percent = (value: number | null) => (value === null ? "–" : `${value}%`);
const days = (value: number | null) => (value === null ? "–" : formatDays(value));

const voyage: Column<ReportView>[] = [
  {
    key: "vessel",
    header: "Vessel",
    cell: ({ vessel, voyage }) => (
      <>
        {vessel ?? "–"}
        <Small phone>{voyage}</Small>
      </>
    ),
  },
  { key: "voyage", header: "Voyage", desktopOnly: true, cell: ({ voyage }) => voyage ?? "–" },
  { key: "etd", header: "ETD", align: "end", cell: ({ etd }) => <CallTime at={etd} /> },
];

/** Each surcharge, in its own currency. */
const Surcharges = ({ surcharges, currency }: ReportView) =>
  surcharges === null || currency === null ? null : (
    <Small>
      {surcharges.map((each) => `${each.code} ${formatMoney(each.amountCents, each.currency ?? currency)}`).join(", ")}
    </Small>
  );

const columnsOf = {
  rate: [
    {
      key: "equipment",
      header: "Equipment",
      desktopOnly: true,
      cell: ({ equipmentType }) =>
        equipmentType === "" ? (
          "–"
        ) : (
          <>
            {equipmentName(equipmentType)}
            <Small>{equipmentType}</Small>
          </>
        ),
    },
    {
      key: "base",
      header: "Base rate",
      align: "end",
      cell: (report) => (
        <>
          {money(report.baseRateCents, report.currency)}
          <Small>{unit(report)}</Small>
        </>
      ),
    },
    {
      key: "surcharges",
      header: "Surcharges",
      align: "end",
      desktopOnly: true,
      cell: (report) => (
        <>
          {money(report.surchargesCents, report.currency)}
          <Surcharges {...report} />
        </>
      ),
    },
    {
      key: "all-in",
      header: "All-in",
      align: "end",
      cell: (report) => <strong>{money(allInCents(report), report.currency)}</strong>,
    },
  ],
  capacity: [
    ...voyage,
    {
      key: "free",
      header: "Free",
      align: "end",
      cell: (report) => (
        <>
          {free(report)}
          <Small phone>{report.bookingStatus && formatWord(report.bookingStatus)}</Small>
        </>
      ),
    },
    {
      key: "booking",
      header: "Booking",
      align: "end",
      desktopOnly: true,
      cell: ({ bookingStatus }) => (bookingStatus ? <StatusBadge status={bookingStatus} /> : "–"),
    },
  ],
  schedule: [
    ...voyage,
    { key: "eta", header: "ETA", align: "end", cell: ({ eta }) => <CallTime at={eta} /> },
    {
      key: "transit",
      header: "Transit",
      align: "end",
      desktopOnly: true,
      cell: ({ transitDays }) => days(transitDays),
    },
  ],
  performance: [
    { key: "on-time", header: "On time", align: "end", cell: ({ onTimePercent }) => percent(onTimePercent) },
    { key: "delay", header: "Mean delay", align: "end", cell: ({ meanDelayDays }) => days(meanDelayDays) },
  ],
} satisfies Record<ReportType, Column<ReportView>[]>;

const summaryColumn: Column<ReportView> = {
  key: "gist",
  header: "What it says",
  cell: (report) => (
    <>
      <span className="block text-muted text-xs sm:hidden">
        {formatWord(report.type)}, {levelAndEquipment(report)}
      </span>
      {summaryOf(report)}
    </>
  ),
};

const summaryOf = (report: ReportView): string => {
  const ship = [report.vessel, report.voyage].filter(Boolean).join(" ");
  switch (report.type) {
    case "rate":
      return [
        report.equipmentType && equipmentName(report.equipmentType),
        `${money(allInCents(report), report.currency)} all-in`,
        `base ${money(report.baseRateCents, report.currency)}`,
        `surcharges ${money(report.surchargesCents, report.currency)}`,
        unit(report),
      ]
        .filter(Boolean)
        .join(", ");
    case "capacity":
      return [`${free(report)} free`, report.bookingStatus && formatWord(report.bookingStatus).toLowerCase(), ship]
        .filter(Boolean)
        .join(", ");
    case "schedule":
      return [
        ship || "No ship",
        report.etd && `leaves ${formatDay(report.etd.utc)}`,
        report.transitDays && `${formatDays(report.transitDays)} at sea`,
      ]
        .filter(Boolean)
        .join(", ");
    case "performance":
      return `${percent(report.onTimePercent)} on time, ${days(report.meanDelayDays)} late on average`;
  }
};
