import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listAlerts, mailCadenceOf, setMailCadence } from "#app/domain/alerts/alerts.server.ts";
import { mailCadences } from "#app/domain/alerts/enums.ts";
import { digestHour, maxWatches } from "#app/domain/alerts/policy.ts";
import { equipmentType } from "#app/domain/alerts/watch.ts";
import { withRoutes } from "#app/domain/alerts/watched-routes.server.ts";
import { listWatches, watch } from "#app/domain/alerts/watchlist.server.ts";
import { cargoTypes } from "#app/domain/catalogue/enums.ts";
import { equipmentName, usualEquipmentType } from "#app/domain/catalogue/equipment.ts";
import { findPort } from "#app/domain/catalogue/find-port.server.ts";
import { buyerOf } from "#app/domain/subscriptions/price.server.ts";
import { alertView } from "#app/portal/alert-view.ts";
import { AlertList } from "#app/portal/components/alert-list.tsx";
import { Badge, type BadgeTone } from "#app/portal/components/badge.tsx";
import { ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Disclosure } from "#app/portal/components/disclosure.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { PortField } from "#app/portal/components/port-field.tsx";
import { Price } from "#app/portal/components/price.tsx";
import { RouteLine } from "#app/portal/components/route-line.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Term } from "#app/portal/components/term.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { orFirstPage } from "#app/portal/first-page.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import {
  formatBasis,
  formatDay,
  formatDayRange,
  formatInstant,
  formatMoney,
  formatNumber,
  formatSailings,
  formatWord,
} from "#app/portal/format.ts";
import { noticesOfPage } from "#app/portal/notices.server.ts";
import { idField } from "#app/portal/params.ts";
import { safePath, visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { type WatchedRow, watchedRows, watchTitle } from "./watch-view.ts";
import { WeekChange } from "./week-change.tsx";

export const meta: MetaFunction = () => [{ title: "Watchlist · Shipping Route Data Service" }];

const pageSize = 25;
const alertsShown = 5;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const cursor = new URL(args.request.url).searchParams.get("cursor") || undefined;
  const [page, alerts, { unreadAlerts }, cadence, buyer] = await Promise.all([
    orFirstPage((request) => listWatches(ctx, caller, request), { limit: pageSize, cursor }),
    listAlerts(ctx, caller, { limit: alertsShown }),
    noticesOfPage(ctx, caller),
    mailCadenceOf(ctx, caller),
    buyerOf(ctx, caller.account),
  ]);
  const watches = await withRoutes(ctx, caller, page.rows);
  return {
    rows: watchedRows(watches, buyer),
    /** Pairs of ports without a route, which have no row. */
    withoutRoutes: watches
      .filter(({ routes }) => routes.length === 0)
      .map((watch) => ({ id: watch.id, title: watchTitle(watch, null) })),
    nextCursor: page.nextCursor,
    alerts: alerts.rows.map(alertView),
    unread: unreadAlerts,
    cadence,
  };
};

const routeForm = z.object({ route_id: idField, back: z.string().max(2_000).optional() });

const empty = z.literal("").transform(() => null);

const pairForm = z.object({
  origin: z.string(),
  destination: z.string(),
  cargo_type: z.union([empty, z.enum(cargoTypes)]),
  equipment_type: z.union([empty, equipmentType], "Must be an ISO 6346 size and type code, like 45G1"),
});

export const action = (args: ActionFunctionArgs) =>
  formAction({
    watch: memberForm(routeForm, async ({ ctx, caller }, { route_id, back }) => {
      await watch(ctx, caller, { target: { routeId: route_id, equipmentType: null } });
      throw await redirectWithToast(safePath(back ?? "/watchlist"), {
        message: "Added to your watchlist.",
        link: { label: "View watchlist", to: "/watchlist" },
      });
    }),
    watch_pair: memberForm(pairForm, async ({ ctx, caller }, input) => {
      const { cargo_type: cargoType, equipment_type: equipmentType } = input;
      const origin = (await findPort(ctx, "origin", input.origin)).unlocode;
      const destination = (await findPort(ctx, "destination", input.destination)).unlocode;
      const { id } = await watch(ctx, caller, { target: { origin, destination, cargoType, equipmentType } });
      throw await redirectWithToast(`/watchlist/${id}`, { message: "Added to your watchlist. Set its alerts below." });
    }),
    mail: memberForm(z.object({ cadence: z.enum(mailCadences) }), async ({ ctx, caller }, input) => {
      await setMailCadence(ctx, caller, input);
      throw await redirectWithToast("/watchlist", { message: "E-mail setting saved." });
    }),
  })(args);

const Watchlist = () => {
  const { rows, withoutRoutes, nextCursor, alerts, unread } = useLoaderData<typeof loader>();
  const isEmpty = rows.length === 0 && withoutRoutes.length === 0;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Watchlist"
        description="The routes and port pairs you watch, with their latest figures and alerts."
        actions={
          <ButtonLink to="/routes" icon="plus">
            Find a route
          </ButtonLink>
        }
      />
      {alerts.length > 0 ? (
        <Card
          title={unread > 0 ? `Alerts, ${formatNumber(unread)} new` : "Latest alerts"}
          actions={
            <ButtonLink to="/watchlist/alerts" size="small">
              All alerts
            </ButtonLink>
          }
          flush
        >
          <AlertList alerts={alerts} />
        </Card>
      ) : null}
      <Card title="Watched routes" flush>
        {isEmpty ? (
          <EmptyState
            icon="eye"
            title="You are not watching any routes yet"
            action={
              <ButtonLink to="/routes" variant="primary" icon="search">
                Find a route
              </ButtonLink>
            }
          >
            Choose “Watch” on a route, or watch a port pair below. For routes you subscribe to, we alert you when rates,
            space or schedules change.
          </EmptyState>
        ) : (
          <Table
            caption="Watched routes"
            columns={columns}
            rows={rows}
            rowKey={({ watchId, route }) => `${watchId} ${route.id}`}
          />
        )}
        {withoutRoutes.map(({ id, title }) => (
          <p key={id} className="flex flex-wrap items-center gap-x-4 border-line border-t px-5 py-3 text-sm">
            <Link to={`/watchlist/${id}`} className="font-semibold hover:text-accent hover:underline">
              {title}
            </Link>
            <span className="text-muted">No routes between these ports yet</span>
          </p>
        ))}
      </Card>
      <Pagination nextCursor={nextCursor} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <WatchPair />
        <MailSetting />
      </div>
    </div>
  );
};

export default Watchlist;

const WatchPair = () => {
  const problem = useActionData<typeof action>()?.problem;
  const own = problem?.intent === "watch_pair" ? problem : undefined;
  return (
    <Disclosure
      title="Watch a port pair"
      description="All routes between two ports, of every carrier."
      isOpen={own !== undefined}
    >
      <Form method="post" className="grid items-start gap-5 sm:grid-cols-2" noValidate>
        {own ? (
          <div className="sm:col-span-2">
            <FormError message={own.message} fields={own.fields} />
          </div>
        ) : null}
        {(["origin", "destination"] as const).map((name) => (
          <PortField
            key={name}
            name={name}
            label={name === "origin" ? "From port" : "To port"}
            required
            defaultValue={own?.values[name]}
            error={errorOf(own?.fields, name)}
          />
        ))}
        <SelectField
          name="cargo_type"
          label="Cargo"
          defaultValue={own?.values.cargo_type ?? ""}
          options={[{ value: "", label: "Any" }, ...cargoTypes.map((value) => ({ value, label: formatWord(value) }))]}
        />
        <TextField
          name="equipment_type"
          label="Container type"
          hint={`An ISO 6346 code. Default: ${equipmentName(usualEquipmentType)}.`}
          optional
          defaultValue={own?.values.equipment_type}
          error={errorOf(own?.fields, "equipment_type")}
        />
        <div>
          <SubmitButton variant="secondary" name="intent" value="watch_pair" pendingLabel="Adding…">
            Watch port pair
          </SubmitButton>
        </div>
      </Form>
      <p className="mt-4 text-muted text-xs">Up to {formatNumber(maxWatches)} entries on a watchlist.</p>
    </Disclosure>
  );
};

const cadenceWords = {
  daily: `Once a day, at ${String(digestHour).padStart(2, "0")}:00 UTC`,
  hourly: "Once an hour",
  at_once: "Within ten minutes",
  off: "Never",
} satisfies Record<(typeof mailCadences)[number], string>;

const MailSetting = () => {
  const { cadence } = useLoaderData<typeof loader>();
  return (
    <Card
      title="Alerts by e-mail"
      description="You always see alerts on this page. Every e-mail has a link to unsubscribe."
    >
      <Form method="post" className="flex flex-wrap items-end gap-3">
        <div className="min-w-56 flex-1">
          <SelectField
            name="cadence"
            label="Send alerts"
            defaultValue={cadence}
            options={Object.entries(cadenceWords).map(([value, label]) => ({ value, label }))}
          />
        </div>
        <SubmitButton variant="secondary" name="intent" value="mail" pendingLabel="Saving…">
          Save
        </SubmitButton>
      </Form>
    </Card>
  );
};

const statusTones: Record<string, BadgeTone> = {
  open: "success",
  limited: "warning",
  full: "danger",
  closed: "danger",
};

const columns: Column<WatchedRow>[] = [
  {
    key: "route",
    header: "Route",
    primary: true,
    cell: ({ watchId, pair, route, figures, unreadAlerts }) => (
      <span className="grid justify-items-start gap-0.5">
        <Link to={`/routes/${route.id}`} prefetch="intent" className="font-semibold hover:text-accent hover:underline">
          {route.name}
        </Link>
        <RouteLine carrier={route.carrier} cargo={route.cargo} routeCode={route.code} />
        {figures === null ? (
          <Small>
            {formatDayRange(route.transitDays)}, {formatSailings(route.sailingsPerWeek).toLowerCase()}
          </Small>
        ) : null}
        {pair ? (
          <Link
            to={`/watchlist/${watchId}`}
            className="font-normal text-muted text-xs hover:text-accent hover:underline"
          >
            Port pair: {pair}
          </Link>
        ) : null}
        {unreadAlerts > 0 && pair === null ? (
          <Badge tone="accent" dot>
            {unreadAlerts === 1 ? "1 new alert" : `${formatNumber(unreadAlerts)} new alerts`}
          </Badge>
        ) : null}
      </span>
    ),
  },
  {
    key: "rate",
    header: "All-in rate",
    heading: <Term name="All-in rate" />,
    align: "end",
    cell: ({ figures, lapsed, priceFrom }) =>
      figures === null ? (
        <span className="grid justify-items-end gap-0.5 text-muted">
          {lapsed ? "Subscription ended" : "Not subscribed"}
          {priceFrom ? (
            <span className="text-xs">
              from <Price price={priceFrom} unit="per month" />
            </span>
          ) : null}
        </span>
      ) : figures.rate ? (
        <span className="grid justify-items-end gap-0.5">
          <span className="font-semibold">{formatMoney(figures.rate.allInCents, figures.rate.currency)}</span>
          {figures.rate.equipmentType ? (
            <Small>{equipmentName(figures.rate.equipmentType)}</Small>
          ) : figures.rate.basis ? (
            <Small>{formatBasis(figures.rate.basis)}</Small>
          ) : null}
        </span>
      ) : (
        <span className="text-muted">No rate yet</span>
      ),
  },
  {
    key: "week",
    header: "Change in 1 week",
    align: "end",
    cell: ({ figures }) => <WeekChange percent={figures?.rate?.weekChangePercent ?? null} />,
  },
  {
    key: "space",
    header: "Space available",
    cell: ({ figures }) =>
      figures === null ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
          <span>
            {formatNumber(figures.capacity.available)} {formatUnit(figures.capacity.unit)}
          </span>
          <Badge tone={statusTones[figures.capacity.bookingStatus] ?? "neutral"}>
            {formatWord(figures.capacity.bookingStatus)}
          </Badge>
        </span>
      ),
  },
  {
    key: "departure",
    header: "Next departure",
    cell: ({ figures }) =>
      figures?.nextDeparture ? (
        <time dateTime={figures.nextDeparture}>{formatDay(figures.nextDeparture)}</time>
      ) : (
        <span className="text-muted">–</span>
      ),
  },
  {
    key: "age",
    header: "Data as of",
    cell: ({ figures }) =>
      figures?.dataAsOf ? (
        <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
          <time dateTime={figures.dataAsOf}>{formatInstant(figures.dataAsOf)}</time>
          {figures.isStale ? (
            <Badge tone="danger" dot>
              Late
            </Badge>
          ) : null}
        </span>
      ) : (
        <span className="text-muted">–</span>
      ),
  },
  {
    key: "manage",
    header: "Manage",
    quietHeader: true,
    align: "end",
    cell: ({ watchId, figures, route, lapsed }) => (
      <span className="flex flex-wrap justify-end gap-2">
        {figures === null ? (
          <ButtonLink
            to={`/routes/${route.id}#subscribe`}
            size="small"
            aria-label={`${lapsed ? "Renew" : "Subscribe to"} ${route.name}, ${route.code}`}
          >
            {lapsed ? "Renew" : "Subscribe"}
          </ButtonLink>
        ) : null}
        <ButtonLink to={`/watchlist/${watchId}`} size="small" aria-label={`Alerts about ${route.name}, ${route.code}`}>
          Alerts
        </ButtonLink>
      </span>
    ),
  },
];

const formatUnit = (unit: string): string => (unit === "TEU" ? unit : formatWord(unit));
