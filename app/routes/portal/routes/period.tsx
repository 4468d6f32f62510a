import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import { reportTypes, serviceLevelNames } from "#app/domain/catalogue/enums.ts";
import { equipmentCode, equipmentName } from "#app/domain/catalogue/equipment.ts";
import { equipmentTypesIn } from "#app/domain/catalogue/route-data.server.ts";
import { addDays, startOf } from "#app/domain/dates.ts";
import { findPeriod, readPeriod } from "#app/domain/subscriptions/read-period.server.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { DataAsOf } from "#app/portal/components/data-as-of.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formatDay, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { reportView } from "#app/portal/report-view.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfReader } from "#app/portal/session.server.ts";
import { ReportTable } from "./report-table.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.route.name}, ${data.period.name}` : "Period"} · Shipping Route Data Service` },
];

const day = z.iso.date().regex(/^[12]/, "Must be between 1000 and 2999");
const filter = z.object({
  type: z.enum(reportTypes).optional(),
  service_level: z.enum(serviceLevelNames).optional(),
  equipment_type: z.string().regex(equipmentCode).optional(),
  from: day.optional(),
  to: day.optional(),
});

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const ids = { routeId: idOf(args.params.route_id), periodId: idOf(args.params.period_id) };
  const { ctx, caller } = await visitOfReader(args, ids.routeId);
  const [[route], { period, opened, access }] = await Promise.all([
    summariesOf(ctx, [ids.routeId]),
    orErrorResponse(findPeriod(ctx, caller, ids)),
  ]);
  if (!route) throw new Response("No such route", { status: 404 });
  const shown = {
    route: {
      id: route.id,
      name: route.name,
      carrier: route.carrier,
      routeGroup: route.routeGroup,
      serviceLevels: route.serviceLevels,
      origin: route.origin.name,
      destination: route.destination.name,
    },
    period: {
      id: period.id,
      name: period.name,
      startsOn: period.startsOn,
      endsOn: period.endsOn,
      freshness: period.freshness,
      dataAsOf: period.dataAsOf?.toISOString() ?? null,
      nextUpdateDue: period.nextUpdateDue?.toISOString() ?? null,
      isStale: period.isStale,
    },
    reason: access.reason,
  };
  if (!opened) return data({ ...shown, reports: null }, { status: 403 });
  const found = searchByParams(args.request, filter, ({ filter, cursor }) =>
    readPeriod(
      ctx,
      caller,
      {
        ...ids,
        type: filter.type,
        serviceLevel: filter.service_level,
        equipmentTypes: filter.equipment_type === undefined ? undefined : [filter.equipment_type],
        from: filter.from === undefined ? undefined : startOf(filter.from),
        // The `to` day is inclusive.
        to: filter.to === undefined ? undefined : startOf(addDays(filter.to, 1)),
      },
      { limit: pageSize, cursor },
    ),
  );
  const [{ rows, nextCursor, problem }, equipmentTypes] = await Promise.all([
    found,
    equipmentTypesIn(ctx, ids.periodId),
  ]);
  return data({
    ...shown,
    reports: { rows: rows.map((report) => reportView(report, route)), nextCursor, problem, equipmentTypes },
  });
};

const PeriodPage = () => {
  const { route, period, reason, reports } = useLoaderData<typeof loader>();
  const files = `/routes/${route.id}/periods/${period.id}/reports`;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Regions", to: "/regions" },
          { label: route.routeGroup.name, to: `/route-groups/${route.routeGroup.code}` },
          { label: route.name, to: `/routes/${route.id}` },
        ]}
        title={period.name}
        badge={<Badge tone="accent">{formatWord(period.freshness)} data</Badge>}
        description={`${route.name}, ${route.carrier.name}. ${
          period.endsOn === null
            ? `Since ${formatDay(period.startsOn)}, current period.`
            : `${formatDay(period.startsOn)} – ${formatDay(addDays(period.endsOn, -1))}.`
        }`}
        actions={
          reports ? (
            <>
              <ButtonLink to={`${files}.csv`} reloadDocument prefetch="none" icon="download">
                CSV
              </ButtonLink>
              <ButtonLink to={`${files}.json`} reloadDocument prefetch="none" icon="download">
                JSON
              </ButtonLink>
            </>
          ) : null
        }
      />
      <DataAsOf {...period} withNextUpdate />
      {reports ? <Reports reports={reports} route={route} /> : <Closed reason={reason} routeId={route.id} />}
    </div>
  );
};

export default PeriodPage;

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

const Reports = ({ reports, route }: { reports: NonNullable<Loaded["reports"]>; route: Loaded["route"] }) => {
  const [search] = useSearchParams();
  const type = reportTypeIn(search.get("type"));
  return (
    <>
      <Tabs
        label="Reports"
        tabs={[
          { label: "All", to: typeLink(search, null), current: type === null },
          ...tabNames.map(({ type: one, label }) => ({ label, to: typeLink(search, one), current: type === one })),
        ]}
      />
      <Form
        method="get"
        role="search"
        aria-label="Reports"
        key={search.toString()}
        className="grid grid-cols-2 gap-4 sm:grid-cols-[repeat(auto-fit,minmax(0,12rem))] sm:items-end"
      >
        {type ? <input type="hidden" name="type" value={type} /> : null}
        <div className="max-sm:col-span-2">
          <SelectField
            name="service_level"
            label="Service level"
            defaultValue={search.get("service_level") ?? ""}
            options={[
              { value: "", label: "All" },
              ...route.serviceLevels.map((level) => ({ value: level, label: formatWord(level) })),
            ]}
          />
        </div>
        {reports.equipmentTypes.length > 0 && (type === null || type === "rate") ? (
          <div className="max-sm:col-span-2">
            <SelectField
              name="equipment_type"
              label="Equipment"
              defaultValue={search.get("equipment_type") ?? ""}
              options={[
                { value: "", label: "All" },
                ...reports.equipmentTypes.map((code) => ({ value: code, label: equipmentName(code) })),
              ]}
            />
          </div>
        ) : null}
        <TextField
          name="from"
          label="From"
          type="date"
          defaultValue={search.get("from") ?? ""}
          error={errorOf(reports.problem?.fields, "from")}
        />
        <TextField
          name="to"
          label="To"
          type="date"
          defaultValue={search.get("to") ?? ""}
          error={errorOf(reports.problem?.fields, "to")}
        />
        <Button icon="filter" className="max-sm:col-span-2 sm:justify-self-start">
          Apply
        </Button>
      </Form>
      <Card
        flush
        footer={
          type === "capacity" || type === "schedule" ? (
            <>
              Local times at each port<span className="max-sm:hidden">, with UTC below</span>.
            </>
          ) : null
        }
      >
        {reports.rows.length > 0 ? (
          <ReportTable reports={reports.rows} type={type} />
        ) : (
          <EmptyState icon="chart" title={reports.problem?.message ?? "No matching reports"}>
            Choose another type or a longer time.
          </EmptyState>
        )}
      </Card>
      <Pagination nextCursor={reports.nextCursor} />
    </>
  );
};

const tabNames = [
  { type: "rate", label: "Rates" },
  { type: "capacity", label: "Capacity" },
  { type: "schedule", label: "Schedule" },
  { type: "performance", label: "Performance" },
] as const;

const reportTypeIn = (value: string | null) => tabNames.find(({ type }) => type === value)?.type ?? null;

const typeLink = (search: URLSearchParams, type: string | null) => {
  const next = new URLSearchParams(search);
  next.delete("cursor");
  next.delete("type");
  // Only rates have an equipment type.
  if (type !== null && type !== "rate") next.delete("equipment_type");
  if (type) next.set("type", type);
  return `?${next}`;
};

const Closed = ({ reason, routeId }: { reason: Loaded["reason"]; routeId: number }) => (
  <Card>
    <EmptyState
      icon="lock"
      title={
        reason === "expired"
          ? "Your subscription has ended"
          : reason === "account_suspended"
            ? "Your account is suspended"
            : "Subscribe to see this period"
      }
      action={
        reason === "account_suspended" ? null : (
          <ButtonLink to={`/routes/${routeId}#subscribe`} variant="primary">
            {reason === "expired" ? "Renew" : "View prices"}
          </ButtonLink>
        )
      }
    >
      {reason === "expired"
        ? "Renew to read its reports again at once. Files you downloaded stay yours."
        : reason === "account_suspended"
          ? "You cannot read route data until it is restored. See your account activity for the reason."
          : "An active subscription gives access to the current period and to the route's history."}
    </EmptyState>
  </Card>
);
