import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { equipmentName } from "#app/domain/catalogue/equipment.ts";
import { formatDays, formatDifference, formatInstant, formatMoney, formatNumber, formatWord } from "../format.ts";
import { type ChartName, chartModel, formatPercent, ratesInWords } from "../route-charts/models.ts";
import { ranges, rateScales } from "../route-charts/ranges.ts";
import type { RouteChartsView } from "../route-charts/route-charts-view.ts";
import { Link } from "./button.tsx";
import { Card } from "./card.tsx";
import { Changes } from "./charts/changes.tsx";
import { Chart } from "./charts/chart.tsx";
import { Tabs } from "./tabs.tsx";

type Props = { charts: RouteChartsView; routeId: number };

const sections = [
  { name: "rates", id: "rate-history", label: "Rate history" },
  { name: "capacity", id: "capacity", label: "Space available" },
  { name: "on-time", id: "performance", label: "Performance" },
  { name: "transit", id: "transit-history", label: "Transit history" },
] as const satisfies { name: ChartName; id: string; label: string }[];

/** The sections that this route has data for. */
export const chartSectionsOf = (charts: RouteChartsView): { id: string; label: string }[] =>
  sections.filter(({ name }) => chartModel(name, charts) !== null).map(({ id, label }) => ({ id, label }));

/** A route's rates, capacity and performance over time. What they show is in the page's address. */
export const RouteCharts = ({ charts, routeId }: Props) => {
  const rates = chartModel("rates", charts);
  const capacity = chartModel("capacity", charts);
  const onTime = chartModel("on-time", charts);
  const transit = chartModel("transit", charts);
  const capacityUnit = charts.capacity.unit === null ? "" : formatWord(charts.capacity.unit);
  const hrefOf = useHrefOf();
  if (!rates && !capacity && !onTime && !transit) return null;
  const files = (name: ChartName) => <Files name={name} charts={charts} routeId={routeId} />;
  return (
    <section id="history" aria-label="History" className="grid gap-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h2 className="font-semibold text-ink text-lg leading-7">History</h2>
        <Choice
          label="Range"
          options={ranges.map((range) => ({
            label: rangeNames[range],
            to: hrefOf({ range }, "history"),
            current: range === charts.range,
          }))}
        />
      </div>
      <Late charts={charts} />
      {rates && charts.rates ? (
        <Card id="rate-history" title="Rate, weekly" description={ratesInWords(charts.rates)} actions={files("rates")}>
          <RateChoices rates={charts.rates} scale={charts.scale} />
          <Changes label={rateLabel(charts.rates)} {...charts.rates} format={rateFormat(charts.rates.currency)} />
          <Chart model={rates} isWide />
        </Card>
      ) : null}
      {capacity ? (
        <Card
          id="capacity"
          title="Space available, weekly"
          description={`${capacityUnit} per sailing`.trim()}
          actions={files("capacity")}
        >
          <Changes
            label="Available"
            {...charts.capacity}
            format={(available) => `${formatNumber(available)} ${capacityUnit}`.trim()}
          />
          <Chart model={capacity} isWide />
        </Card>
      ) : null}
      <div className="grid gap-6 empty:hidden lg:grid-cols-2">
        {onTime ? (
          <Card
            id="performance"
            title="On-time performance, monthly"
            description="Share of sailings that arrived on time"
            actions={files("on-time")}
          >
            <Changes
              label="On time"
              {...charts.onTime}
              format={formatPercent}
              formatOf={({ difference }) => (difference === null ? null : `${formatDifference(difference)} points`)}
            />
            <Chart model={onTime} />
          </Card>
        ) : null}
        {transit ? (
          <Card
            id="transit-history"
            title="Transit time, monthly"
            description="Scheduled days from port to port"
            actions={files("transit")}
          >
            <Changes
              label="Transit"
              {...charts.transit}
              format={formatDays}
              formatOf={({ difference }) => (difference === null ? null : `${formatDifference(difference)} d`)}
            />
            <Chart model={transit} />
          </Card>
        ) : null}
      </div>
    </section>
  );
};

const rangeNames = { "3_months": "3 months", "1_year": "1 year", all: "All" } as const;
const scaleNames = { stacked: "Stacked from zero", zoomed: "Zoomed lines" } as const;

type Rates = NonNullable<RouteChartsView["rates"]>;

/** Without surcharges there is no all-in rate. */
const rateLabel = ({ points }: Rates) => ((points.at(-1)?.allInCents ?? null) === null ? "Base rate" : "All-in");

const rateFormat = (currency: string) => (cents: number) => formatMoney(cents, currency);

const Late = ({ charts: { lateUntil } }: { charts: RouteChartsView }) =>
  lateUntil === null ? null : (
    <p className="text-sm text-warning">
      The next observation is overdue. The shaded end of a chart is the time without data, until{" "}
      {formatInstant(lateUntil)}.
    </p>
  );

const RateChoices = ({ rates: { kinds, kind }, scale }: { rates: Rates; scale: RouteChartsView["scale"] }) => {
  const hrefOf = useHrefOf();
  const equipmentTypes = [...new Set(kinds.map(({ equipmentType }) => equipmentType))];
  const levels = kinds.filter(({ equipmentType }) => equipmentType === kind.equipmentType);
  return (
    <div className="-mt-2 mb-4 grid gap-3">
      {equipmentTypes.length > 1 ? (
        <Tabs
          label="Equipment"
          tabs={equipmentTypes.map((code) => ({
            label: equipmentName(code),
            to: hrefOf({ equipment: code }, "rate-history"),
            current: code === kind.equipmentType,
          }))}
        />
      ) : null}
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {levels.length > 1 ? (
          <Choice
            label="Service level"
            options={levels.map(({ serviceLevel }) => ({
              label: formatWord(serviceLevel),
              to: hrefOf({ service: serviceLevel }, "rate-history"),
              current: serviceLevel === kind.serviceLevel,
            }))}
          />
        ) : null}
        <Choice
          label="Scale"
          options={rateScales.map((one) => ({
            label: scaleNames[one],
            to: hrefOf({ scale: one }, "rate-history"),
            current: one === scale,
          }))}
        />
      </div>
    </div>
  );
};

type Option = { label: string; to: string; current: boolean };

/** One of a few, as links. */
const Choice = ({ label, options }: { label: string; options: readonly Option[] }) => (
  <nav aria-label={label} className="no-print">
    <ul className="flex rounded-lg border border-line bg-canvas p-0.5">
      {options.map((option) => (
        <li key={option.to}>
          <Link
            to={option.to}
            preventScrollReset
            aria-current={option.current ? "true" : undefined}
            className="flex min-h-7 items-center rounded-md px-2.5 font-medium text-[0.8125rem] text-muted hover:text-ink aria-[current=true]:bg-surface aria-[current=true]:text-ink aria-[current=true]:shadow-card forced-colors:aria-[current=true]:underline"
          >
            {option.label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);

/** Links that change one part of the address and keep the others. */
const useHrefOf = () => {
  const [search] = useSearchParams();
  return (change: Record<string, string>, id: string) =>
    `?${new URLSearchParams({ ...Object.fromEntries(search), ...change })}#${id}`;
};

const Files = ({ name, charts, routeId }: Props & { name: ChartName }): ReactNode => {
  const search = new URLSearchParams({
    ...(name === "rates" && charts.rates
      ? { equipment: charts.rates.kind.equipmentType, service: charts.rates.kind.serviceLevel, scale: charts.scale }
      : {}),
    range: charts.range,
  });
  return (
    <span className="no-print flex gap-4 text-sm">
      {["csv", "svg"].map((kind) => (
        <a
          key={kind}
          href={`/routes/${routeId}/charts/${name}.${kind}?${search}`}
          download
          className="link inline-flex min-h-6 items-center"
          aria-label={`${fileNames[name]} as ${kind.toUpperCase()}`}
        >
          {kind.toUpperCase()}
        </a>
      ))}
    </span>
  );
};

const fileNames = {
  rates: "Rates",
  capacity: "Capacity",
  "on-time": "On-time performance",
  transit: "Transit times",
} as const satisfies Record<ChartName, string>;
