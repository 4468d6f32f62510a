import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listAlerts } from "#app/domain/alerts/alerts.server.ts";
import { isAlreadyBeyond, thresholdCurrency, thresholdKinds } from "#app/domain/alerts/decide.ts";
import { rulesForm } from "#app/domain/alerts/rules-form.ts";
import type { WatchRules } from "#app/domain/alerts/watch.ts";
import { oneWithRoutes, type WatchedFigures, type WatchedRoute } from "#app/domain/alerts/watched-routes.server.ts";
import { getWatch, setRules, unwatch } from "#app/domain/alerts/watchlist.server.ts";
import { equipmentName, usualEquipmentType } from "#app/domain/catalogue/equipment.ts";
import { alertView } from "#app/portal/alert-view.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { AlertList } from "#app/portal/components/alert-list.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { refusalAsResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { watchTitle } from "./watch-view.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `Alerts about ${data.title}` : "Watchlist"} · Shipping Route Data Service` },
];

const alertsShown = 20;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.watch_id);
  const found = await refusalAsResponse(getWatch(ctx, caller, { id }), ["not_found"]);
  const [{ routes, routesInAll }, alerts] = await Promise.all([
    oneWithRoutes(ctx, caller, found),
    listAlerts(ctx, caller, { watchId: id, limit: alertsShown }),
  ]);
  const isContainer = routes.some(({ route }) => route.cargoType === "container");
  const units = [...new Set(routes.flatMap(({ figures }) => figures?.capacity.unit ?? []))];
  return {
    title: watchTitle(found, routes[0]?.route.name ?? null),
    carrier: "routeId" in found.target ? (routes[0]?.route.carrier.name ?? null) : null,
    routeId: "routeId" in found.target ? found.target.routeId : null,
    equipment: isContainer ? equipmentName(found.equipmentType ?? usualEquipmentType) : null,
    unit: units.length === 1 ? units[0] : null,
    subscribed: routes.filter(({ access }) => access.hasAccess).length,
    routesInAll,
    rules: found.rules,
    alreadyBeyond: routes.flatMap(({ route, figures }) => (figures ? alreadyBeyond(found.rules, route, figures) : [])),
    alerts: alerts.rows.map(alertView),
  };
};

/** The thresholds beyond which the newest figures are now. */
const alreadyBeyond = (
  rules: WatchRules,
  { name, carrier }: WatchedRoute["route"],
  { rate, capacity }: WatchedFigures,
): { kind: (typeof thresholdKinds)[number]; route: string; value: number }[] =>
  thresholdKinds.flatMap((kind) => {
    const allIn = rate?.currency === thresholdCurrency ? rate.allInCents : null;
    const value = kind === "capacity_below" ? capacity.available : allIn;
    return value !== null && isAlreadyBeyond(kind, rules, value)
      ? [{ kind, route: `${name}, ${carrier.name}`, value }]
      : [];
  });

export const action = (args: ActionFunctionArgs) => {
  const id = () => idOf(args.params.watch_id);
  return formAction({
    rules: memberForm(rulesForm, async ({ ctx, caller }, rules) => {
      await setRules(ctx, caller, { id: id(), rules });
      throw await redirectWithToast(`/watchlist/${id()}`, { message: "Alert rules saved." });
    }),
    unwatch: memberForm(z.object({}), async ({ ctx, caller }) => {
      await unwatch(ctx, caller, { id: id() });
      throw await redirectWithToast("/watchlist", { message: "Removed from your watchlist. Past alerts are kept." });
    }),
  })(args);
};

const WatchPage = () => {
  const { title, carrier, routeId, equipment, subscribed, routesInAll, alerts } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Watchlist", to: "/watchlist" }]}
        title={title}
        description={
          <>
            {carrier ?? `${formatCount(routesInAll, "route")}, ${formatCount(subscribed, "subscription")}`}
            {equipment ? `, ${equipment}` : null}
            {subscribed === 0 ? ". Subscribe to the route to get alerts." : null}
          </>
        }
        actions={
          <>
            {routeId === null ? null : <ButtonLink to={`/routes/${routeId}`}>View route</ButtonLink>}
            <Confirmation
              id="unwatch"
              label="Stop watching"
              title={`Stop watching ${title}?`}
              intent="unwatch"
              confirm="Stop watching"
              pendingLabel="Stopping…"
              keep="Keep watching"
            >
              This deletes its alert rules. Past alerts stay on your list.
            </Confirmation>
          </>
        }
      />
      <Rules />
      <Card title="Alerts" flush>
        {alerts.length > 0 ? (
          <AlertList alerts={alerts} />
        ) : (
          <EmptyState icon="clock" title="No alerts yet">
            We check your rules within ten minutes of new data.
          </EmptyState>
        )}
      </Card>
      {alerts.length === alertsShown ? (
        <p className="text-sm">
          <Link to="/watchlist/alerts" className="link">
            All alerts
          </Link>
        </p>
      ) : null}
    </div>
  );
};

export default WatchPage;

const dollars = (cents: number | null): string => (cents === null ? "" : (cents / 100).toFixed(2).replace(/\.00$/, ""));

/** An alert needs a crossing, so a threshold that is met already raises none at first. */
const AlreadyBeyond = () => {
  const { alreadyBeyond, unit } = useLoaderData<typeof loader>();
  if (alreadyBeyond.length === 0) return null;
  return (
    <Alert tone="info" title="Already past your threshold">
      <ul>
        {alreadyBeyond.map(({ kind, route, value }) => (
          <li key={`${kind} ${route}`}>
            {route}:{" "}
            {kind === "capacity_below"
              ? `${formatNumber(value)}${unit ? ` ${unit === "TEU" ? unit : formatWord(unit).toLowerCase()}` : ""} available`
              : `the all-in rate is ${formatMoney(value, thresholdCurrency)}`}
            , {kind === "all_in_above" ? "above" : "below"} your threshold. You get the next alert when it crosses the
            threshold again.
          </li>
        ))}
      </ul>
    </Alert>
  );
};

const Rules = () => {
  const { rules, unit } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem ?? undefined;
  const values = problem?.values;
  const field = (name: string, saved: string | number | null) => ({
    name,
    inputMode: "decimal" as const,
    autoComplete: "off",
    optional: true,
    defaultValue: values ? (values[name] ?? "") : String(saved ?? ""),
    error: errorOf(problem?.fields, name),
  });
  const box = (name: string, saved: boolean) => ({ name, defaultChecked: values ? values[name] === "on" : saved });
  return (
    <Card title="When to alert you" description="Leave a field empty to turn off its rule.">
      <Form method="post" className="grid gap-6" noValidate>
        {problem ? null : <AlreadyBeyond />}
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <div className="grid items-end gap-5 sm:grid-cols-2 lg:grid-cols-3">
          <TextField
            {...field("rate_change_percent", rules.rateChangePercent)}
            label="Rate moves by, %"
            hint="Change in the all-in rate since the last alert, or since you started watching."
          />
          <TextField
            {...field("all_in_below", dollars(rules.allInBelowCents))}
            label="All-in rate below, USD"
            hint="Alerts again after the rate has risen 2% above this."
          />
          <TextField
            {...field("all_in_above", dollars(rules.allInAboveCents))}
            label="All-in rate above, USD"
            hint="Alerts again after the rate has fallen 2% below this."
          />
          <TextField
            {...field("capacity_below", rules.capacityBelow)}
            label={`Space available below${unit ? `, ${unit === "TEU" ? unit : formatWord(unit)}` : ""}`}
            hint="Per sailing. Alerts again after 10% more space."
          />
          <TextField
            {...field("schedule_slip_days", rules.scheduleSlipDays)}
            label="Sailing moves by, days"
            hint="A change of departure or arrival. Cancelled sailings always count."
          />
        </div>
        <div className="grid gap-3">
          <CheckboxField {...box("booking_status", rules.bookingStatus)} label="Booking status changes" />
          <CheckboxField {...box("stale_data", rules.staleData)} label="Data is late" />
        </div>
        <div>
          <SubmitButton name="intent" value="rules" pendingLabel="Saving…">
            Save
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};
