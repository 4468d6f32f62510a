import { equipmentName } from "#app/domain/catalogue/equipment.ts";
import { allInCents } from "#app/domain/catalogue/rate-report.ts";
import type { ReportType } from "#app/domain/catalogue/route.ts";
import { CallTime } from "#app/portal/components/call-time.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Term, TermOrCode } from "#app/portal/components/term.tsx";
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
        header: "Service level",
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
  [formatWord(serviceLevel), equipmentType && equipmentName(equipmentType)].filter(Boolean).join(", ");

const money = (cents: number | null, currency: string | null) =>
  cents === null || currency === null ? "–" : formatMoney(cents, currency);
const unit = ({ basis, currency }: ReportView) => (basis && currency ? `${currency} ${formatBasis(basis)}` : null);
const available = ({ availableCapacity, capacityUnit }: ReportView) =>
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
  { key: "etd", header: "ETD", heading: <Term name="ETD" />, align: "end", cell: ({ etd }) => <CallTime at={etd} /> },
];

/** Each surcharge, in its own currency. */
const Surcharges = ({ surcharges, currency }: ReportView) =>
  surcharges === null || currency === null ? null : (
    <Small>
      {surcharges.map((each, index) => (
        <span key={each.code}>
          {index > 0 ? ", " : ""}
          <TermOrCode {...each} /> {formatMoney(each.amountCents, each.currency ?? currency)}
        </span>
      ))}
    </Small>
  );

const columnsOf = {
  rate: [
    {
      key: "equipment",
      header: "Equipment",
      desktopOnly: true,
      cell: ({ equipmentType }) => (equipmentType === "" ? "–" : equipmentName(equipmentType)),
    },
    {
      key: "base",
      header: "Base rate",
      heading: <Term name="Base rate" />,
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
      heading: <Term name="All-in rate">All-in</Term>,
      align: "end",
      cell: (report) => <strong>{money(allInCents(report), report.currency)}</strong>,
    },
  ],
  capacity: [
    ...voyage,
    {
      key: "available",
      header: "Space available",
      align: "end",
      cell: (report) => (
        <>
          {available(report)}
          <Small phone>{report.bookingStatus && formatWord(report.bookingStatus)}</Small>
        </>
      ),
    },
    {
      key: "booking",
      header: "Booking status",
      align: "end",
      desktopOnly: true,
      cell: ({ bookingStatus }) => (bookingStatus ? <StatusBadge status={bookingStatus} /> : "–"),
    },
  ],
  schedule: [
    ...voyage,
    { key: "eta", header: "ETA", heading: <Term name="ETA" />, align: "end", cell: ({ eta }) => <CallTime at={eta} /> },
    {
      key: "transit",
      header: "Transit time",
      heading: <Term name="Transit time" />,
      align: "end",
      desktopOnly: true,
      cell: ({ transitDays }) => days(transitDays),
    },
  ],
  performance: [
    {
      key: "on-time",
      header: "On time",
      heading: <Term name="On-time performance">On time</Term>,
      align: "end",
      cell: ({ onTimePercent }) => percent(onTimePercent),
    },
    { key: "delay", header: "Mean delay", align: "end", cell: ({ meanDelayDays }) => days(meanDelayDays) },
  ],
} satisfies Record<ReportType, Column<ReportView>[]>;

const summaryColumn: Column<ReportView> = {
  key: "gist",
  header: "Summary",
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
  const sailing = [report.vessel, report.voyage].filter(Boolean).join(" ");
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
      return [
        `${available(report)} available`,
        report.bookingStatus && formatWord(report.bookingStatus).toLowerCase(),
        sailing,
      ]
        .filter(Boolean)
        .join(", ");
    case "schedule":
      return [
        sailing || "No vessel",
        report.etd && `departs ${formatDay(`${report.etd.local}Z`)}`,
        report.transitDays && `${formatDays(report.transitDays)} transit`,
      ]
        .filter(Boolean)
        .join(", ");
    case "performance":
      return `${percent(report.onTimePercent)} on time, ${days(report.meanDelayDays)} late on average`;
  }
};
