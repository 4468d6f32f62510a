import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { reportTypes } from "#app/domain/catalogue/enums.ts";
import { mostWorkbookRows } from "#app/domain/exports/policy.ts";
import { exportableRoutes } from "#app/domain/exports/reports.server.ts";
import { getSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { isRunning } from "#app/domain/subscriptions/status.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { orNoFile } from "#app/portal/download.server.ts";
import { formatCount, formatNumber, formatWord } from "#app/portal/format.ts";
import { type Member, visitOfMember } from "#app/portal/session.server.ts";
import { dayErrors, routeIdsIn, subscriptionIdsIn } from "./choice.server.ts";
import { fileFormats, rateFormats } from "./formats.ts";

export const meta: MetaFunction = () => [{ title: "Download data · Shipping Route Data Service" }];

/** The choice is in the URL, so that other pages link to it, and so that it works without scripts. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const search = new URL(args.request.url).searchParams;
  const chosen = await orNoFile(chosenRoutes({ ctx, caller }, search));
  const routes = await orNoFile(exportableRoutes(ctx, caller, chosen));
  return {
    isChoice: chosen !== undefined,
    routes: routes.map(({ id, name, code }) => ({ id, name, code })),
    tradeLanes: [...new Set(routes.map(({ tradeLaneCode }) => tradeLaneCode))].sort(),
    tooLong: Number(search.get("too_long")) || null,
    values: Object.fromEntries(search),
    fields: dayErrors(search),
  };
};

/** Selected by route, or by subscription; ended subscriptions are left out. */
const chosenRoutes = async ({ ctx, caller }: Pick<Member, "ctx" | "caller">, search: URLSearchParams) => {
  const ids = subscriptionIdsIn(search);
  if (ids.length === 0) return routeIdsIn(search);
  const subscriptions = await getSubscriptions(ctx, caller, { ids });
  return subscriptions.filter(({ status }) => isRunning(status)).map(({ routeId }) => routeId);
};

const Download = () => {
  const { routes, isChoice, tooLong } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Download data"
        description="Files for spreadsheets and programs. Downloads from this page do not count as API requests."
      />
      {tooLong === null ? null : (
        <Alert tone="warning" live title={`Too many rows for Excel: ${formatNumber(tooLong)}`}>
          Workbooks have up to {formatNumber(mostWorkbookRows)} rows. Choose fewer routes or days, or download CSV,
          which has no limit and opens in Excel too.
        </Alert>
      )}
      {routes.length === 0 ? (
        <Card>
          <EmptyState
            icon="download"
            title={isChoice ? "None of these subscriptions is active" : "You are not subscribed to any routes yet"}
            action={
              isChoice ? (
                <ButtonLink to="/download">Choose all subscribed routes</ButtonLink>
              ) : (
                <ButtonLink to="/routes" variant="primary" icon="search">
                  Find a route
                </ButtonLink>
              )
            }
          >
            You can download the reports and rates of every route you subscribe to.
          </EmptyState>
        </Card>
      ) : (
        <>
          <Chosen />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Reports />
            <Rates />
          </div>
        </>
      )}
      <Catalogue />
    </div>
  );
};

export default Download;

const namesShown = 6;

const Chosen = () => {
  const { routes, isChoice } = useLoaderData<typeof loader>();
  return (
    <Card
      title={isChoice ? formatCount(routes.length, "route") : `All ${formatCount(routes.length, "subscribed route")}`}
      actions={
        <>
          {isChoice ? (
            <ButtonLink to="/download" size="small">
              All subscribed routes
            </ButtonLink>
          ) : null}
          <ButtonLink to="/subscriptions" size="small">
            Choose routes
          </ButtonLink>
        </>
      }
    >
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
        {routes.slice(0, namesShown).map(({ id, name, code }) => (
          <li key={id}>
            <Link to={`/routes/${id}`} className="link">
              {name}
            </Link>{" "}
            <span className="font-mono text-muted text-xs">{code}</span>
          </li>
        ))}
        {routes.length > namesShown ? (
          <li className="text-muted">and {formatNumber(routes.length - namesShown)} more</li>
        ) : null}
      </ul>
    </Card>
  );
};

/** The routes that a form is about; without any, all subscribed ones. */
const RouteIds = () => {
  const { routes, isChoice } = useLoaderData<typeof loader>();
  return isChoice ? routes.map(({ id }) => <input key={id} type="hidden" name="route_id" value={id} />) : null;
};

const formatNames = {
  xlsx: "Excel workbook (.xlsx)",
  csv: "CSV",
  jsonl: "JSON Lines",
  parquet: "Parquet",
} as const satisfies Record<(typeof fileFormats)[number], string>;

const optionsOf = (formats: readonly (typeof fileFormats)[number][]) =>
  formats.map((value) => ({ value, label: formatNames[value] }));

const Reports = () => {
  const { tradeLanes, values, fields } = useLoaderData<typeof loader>();
  return (
    <Card title="Reports" description="Every observation of rates, capacity, schedules and performance, with history">
      <Form method="get" action="/download/reports" reloadDocument className="grid gap-4 sm:grid-cols-2">
        <RouteIds />
        <TextField
          name="from"
          label="From (UTC)"
          type="date"
          optional
          defaultValue={values.from}
          error={errorOf(fields, "from")}
        />
        <TextField
          name="to"
          label="To, last day included (UTC)"
          type="date"
          optional
          defaultValue={values.to}
          error={errorOf(fields, "to")}
        />
        <SelectField
          name="report_type"
          label="Type"
          defaultValue={values.report_type}
          options={[
            { value: "", label: "All types" },
            ...reportTypes.map((value) => ({ value, label: formatWord(value) })),
          ]}
        />
        <SelectField
          name="trade_lane"
          label="Trade lane"
          defaultValue={values.trade_lane}
          options={[{ value: "", label: "All trade lanes" }, ...tradeLanes.map((value) => ({ value, label: value }))]}
        />
        <SelectField
          name="format"
          label="Format"
          defaultValue={values.format}
          hint={`Excel holds up to ${formatNumber(mostWorkbookRows)} rows.`}
          options={optionsOf(fileFormats)}
        />
        <div className="sm:col-span-2">
          <Button variant="primary" icon="download">
            Download reports
          </Button>
        </div>
      </Form>
    </Card>
  );
};

const Rates = () => (
  <Card title="Rates" description="Base rates and surcharges valid today, with exchange rates">
    <Form method="get" action="/download/rates" reloadDocument className="grid gap-4">
      <RouteIds />
      <RateFormat />
      <div>
        <Button icon="download">Download rates</Button>
      </div>
    </Form>
  </Card>
);

const RateFormat = () => (
  <fieldset className="grid gap-2">
    <legend className="mb-1.5 font-medium text-ink text-sm">Format</legend>
    {rateFormats.map((format) => (
      <label key={format} className="flex min-h-6 items-center gap-3 text-ink text-sm">
        <input type="radio" name="format" value={format} defaultChecked={format === "xlsx"} className="tick" />
        {formatNames[format]}
      </label>
    ))}
  </fieldset>
);

const Catalogue = () => (
  <Card
    title="Catalogue"
    description="Public details of every route: ports, carrier, distance, transit times and lowest price. No subscription needed."
    actions={
      <ButtonLink to="/routes.csv" icon="download" reloadDocument prefetch="none">
        Download CSV
      </ButtonLink>
    }
    footer={
      <>
        Also available by API:{" "}
        <Link to="/docs/bulk-downloads" className="link">
          bulk downloads
        </Link>
      </>
    }
  />
);
