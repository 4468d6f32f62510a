import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import { alternativesOf, approximateGeometry } from "#app/domain/catalogue/geometry.server.ts";
import { priceHistory } from "#app/domain/catalogue/price-history.server.ts";
import { dayOf } from "#app/domain/dates.ts";
import { monthsOf, term, terms } from "#app/domain/pricing/discounts.ts";
import { termDiscountPercent } from "#app/domain/pricing/policy.ts";
import { monthlyPriceCents, quoteLine } from "#app/domain/pricing/quote.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { accessToRoutes } from "#app/domain/subscriptions/route-access.server.ts";
import { readBasket, saveBasket, withItem } from "#app/portal/basket.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CodeBlock } from "#app/portal/components/code-block.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { Icon, type IconName } from "#app/portal/components/icon.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { RouteData, sectionsOf } from "#app/portal/components/route-data.tsx";
import { RouteMap } from "#app/portal/components/route-map/route-map.tsx";
import { SectionLinks } from "#app/portal/components/section-links.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import {
  formatDay,
  formatDayRange,
  formatMoney,
  formatNauticalMiles,
  formatSailings,
  formatWord,
} from "#app/portal/format.ts";
import { openRoute } from "#app/portal/open-route.server.ts";
import { idField, idOf } from "#app/portal/params.ts";
import { routeDataView } from "#app/portal/route-data-view.ts";
import { visit } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { Alternatives, alternativeView } from "./alternatives.tsx";
import { AsOf } from "./as-of.tsx";
import { PriceHistory } from "./price-history.tsx";
import { SubscribeCard } from "./subscribe-card.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.route.name}, ${data.route.carrier.name}` : "Route"} · Shipping Route Data Service` },
];

/** The newest price changes on the page. */
const pricesShown = 12;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const id = idOf(args.params.route_id);
  const [route] = await summariesOf(ctx, [id]);
  if (!route) throw new Response("No such route", { status: 404 });
  const access = caller && (await accessToRoutes(ctx, caller, [id])).get(id);
  const opened = caller && access?.hasAccess ? await openRoute({ ctx, caller }, id) : null;
  const data = opened && (await opened.read());
  const search = new URL(args.request.url).searchParams;
  const requestedPeriodId = Number(search.get("offer"));
  return {
    appUrl: ctx.settings.appUrl,
    username: caller?.account.username ?? null,
    chosenOffer: Math.max(
      0,
      route.periods.findIndex((period) => period.id === requestedPeriodId),
    ),
    route: { ...route, periods: undefined },
    offers: route.periods.map((period) => ({
      ...period,
      monthlyCents: monthlyPriceCents(period),
      lines: terms.map((term) => {
        const item = { periodId: period.id, routeId: id, term, monthlyCents: monthlyPriceCents(period) };
        const { totalCents } = quoteLine(item, { percent: 0, reason: null });
        return { term, months: monthsOf[term], totalCents, discountPercent: termDiscountPercent[term] };
      }),
    })),
    prices: (await priceHistory(ctx, { routeId: id, limit: pricesShown })).map((price) => ({
      ...price,
      validFrom: dayOf(price.validFrom),
    })),
    waypoints: data?.record.row.waypoints ?? (await approximateGeometry(ctx, id)),
    alternatives: (data?.record.alternatives ?? (await alternativesOf(ctx, id))).map(alternativeView),
    data: data && routeDataView(data, dayOf(ctx.clock.now()), search.get("equipment")),
    etag: opened?.etag ?? "",
    access: access ?? null,
    signedIn: caller !== null,
  };
};

const subscription = z.object({
  period_id: idField,
  term,
  auto_renew: z.literal("on").optional(),
});

export const action = (args: ActionFunctionArgs) =>
  formAction({
    subscribe: memberForm(subscription, async ({ ctx, caller }, input) => {
      const items = [{ periodId: input.period_id, term: input.term }];
      const { orderId } = await checkout(ctx, caller, { items, autoRenew: input.auto_renew === "on" });
      throw redirect(`/checkout/${orderId}`);
    }),
    add: memberForm(subscription, async (_, input) => {
      const items = withItem(await readBasket(args.request), { periodId: input.period_id, term: input.term });
      const message = `In the basket, for ${formatWord(input.term).toLowerCase()}.`;
      const link = { label: "See the basket", to: "/basket" };
      const ownPath = `/routes/${idOf(args.params.route_id)}`;
      throw await redirectWithToast(ownPath, { message, link }, { headers: await saveBasket(items) });
    }),
  })(args);

const RoutePage = () => {
  const {
    route,
    offers,
    chosenOffer,
    prices,
    waypoints,
    alternatives,
    data,
    etag,
    access,
    signedIn,
    appUrl,
    username,
  } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Regions", to: "/regions" },
          { label: route.region.name, to: `/regions/${route.region.code}` },
          { label: route.tradeLane.name, to: `/trade-lanes/${route.tradeLane.code}` },
          { label: route.routeGroup.name, to: `/route-groups/${route.routeGroup.code}` },
        ]}
        title={route.name}
        badge={
          access && access.reason in accessBadges ? (
            <StatusBadge status={accessBadges[access.reason] ?? "expired"} />
          ) : null
        }
        description={
          <>
            {route.carrier.name} · <span className="whitespace-nowrap font-mono text-sm">{route.code}</span>
          </>
        }
        actions={
          data ? (
            <>
              <ButtonLink to={`/routes/${route.id}/data.json`} reloadDocument prefetch="none" icon="download">
                JSON
              </ButtonLink>
              <ButtonLink to={`/routes/${route.id}/way.geojson`} reloadDocument prefetch="none" icon="download">
                GeoJSON
              </ButtonLink>
              <ButtonLink to="#subscribe">Extend</ButtonLink>
            </>
          ) : (
            <ButtonLink to="#subscribe" variant="primary">
              {access?.reason === "expired" ? "Renew" : "Subscribe"}
            </ButtonLink>
          )
        }
      />
      {data ? (
        <SectionLinks
          sections={[...sectionsOf(data), { id: "api", label: "API" }, { id: "subscribe", label: "Extend" }]}
        />
      ) : null}
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20.5rem]">
        <RouteMap
          origin={route.origin}
          destination={route.destination}
          waypoints={waypoints}
          indicative={data === null}
          alternatives={alternatives.flatMap(({ line }) => (line ? [line] : []))}
        />
        <Facts />
      </div>
      {alternatives.length > 0 ? <Alternatives alternatives={alternatives} /> : null}
      {data ? (
        <>
          <AsOf routeId={route.id} asOf={data.asOf} etag={etag} />
          <RouteData data={data} routeId={route.id} />
          <ApiExample appUrl={appUrl} routeId={route.id} username={username ?? ""} />
        </>
      ) : (
        <Locked lapsed={access?.reason === "expired"} suspended={access?.reason === "account_suspended"} />
      )}
      <section id="subscribe" tabIndex={-1} aria-label="Subscribe" className="focus:outline-none">
        <SubscribeCard
          offers={offers}
          chosen={chosenOffer}
          problem={useActionData<typeof action>()?.problem ?? undefined}
          signedIn={signedIn}
          extending={data !== null}
          routeId={route.id}
        />
      </section>
      {prices.length > 0 ? <PriceHistory prices={prices} /> : null}
    </div>
  );
};

export default RoutePage;

const accessBadges: Record<string, "active" | "expiring_soon" | "cancelled" | "expired"> = {
  active: "active",
  expiring_soon: "expiring_soon",
  cancelled: "cancelled",
  expired: "expired",
};

/** Public facts about the route, beside its map. */
const Facts = () => {
  const { route, offers, access } = useLoaderData<typeof loader>();
  const [cheapest] = offers.toSorted((a, b) => lowestMonthlyCents(a) - lowestMonthlyCents(b));
  return (
    <Card
      footer={
        access?.accessUntil ? (
          <>
            Access until <strong className="font-semibold text-ink">{formatDay(access.accessUntil)}</strong>
          </>
        ) : cheapest ? (
          <>
            {formatWord(cheapest.freshness)} data from{" "}
            <strong className="font-semibold text-ink">{formatMoney(lowestMonthlyCents(cheapest))}</strong> a month
          </>
        ) : (
          "Not on sale at the moment"
        )
      }
    >
      <DescriptionList
        layout="beside"
        facts={[
          { term: "Origin", description: `${route.origin.name} (${route.origin.unlocode})` },
          { term: "Destination", description: `${route.destination.name} (${route.destination.unlocode})` },
          { term: "Cargo", description: formatWord(route.cargoType) },
          { term: "Distance", description: formatNauticalMiles(route.distanceNm) },
          { term: "Service levels", description: route.serviceLevels.map(formatWord).join(", ") },
          { term: "Transit, indicative", description: formatDayRange(route.transitDays) },
          { term: "Sailings", description: formatSailings(route.sailingsPerWeek) },
          { term: "Trade lane", description: route.tradeLane.name },
        ]}
      />
    </Card>
  );
};

const lowestMonthlyCents = ({ lines }: { lines: readonly { totalCents: number; months: number }[] }): number =>
  Math.round(Math.min(...lines.map(({ totalCents, months }) => totalCents / months)));

const ApiExample = ({ appUrl, routeId, username }: { appUrl: string; routeId: number; username: string }) => (
  <Card
    id="api"
    title="The same by API"
    description={
      <>
        With a{" "}
        <Link to="/api-keys" className="link">
          key of yours
        </Link>
        . Reading here does not count as an API request.
      </>
    }
  >
    <CodeBlock
      title="curl"
      code={`curl '${appUrl}/api/api-routes-data?id=${routeId}' \\\n  -H 'X-API-Key: srd_live_…' \\\n  -H 'X-Username: ${username}'`}
    />
  </Card>
);

const Locked = ({ lapsed, suspended }: { lapsed: boolean; suspended: boolean }) => (
  <Card
    title={
      <span className="flex items-center gap-2">
        <Icon name="lock" className="size-4.5 text-muted" />
        {suspended ? "Your account is suspended" : lapsed ? "Your subscription has ended" : "What a subscription opens"}
      </span>
    }
    description={
      suspended
        ? "No route data can be read until it is restored. Your account's activity says why."
        : lapsed
          ? "Renew below and the data is back at once. What you downloaded stays yours."
          : "Everything above is free. Subscribers also get, here and by API:"
    }
    flush
  >
    <ul className="grid gap-px bg-line sm:grid-cols-2 lg:grid-cols-3">
      {lockedSections.map(({ icon, title, fields }) => (
        <li key={title} className="bg-surface px-5 py-4 forced-colors:outline">
          <span className="flex items-center gap-2.5 font-medium text-ink text-sm">
            <Icon name={icon} className="size-5 text-accent" />
            {title}
          </span>
          <span className="mt-2 flex flex-wrap gap-1.5">
            {fields.map((field) => (
              <span
                key={field}
                className="rounded-md border border-line-strong border-dashed px-1.5 text-muted text-xs leading-5.5"
              >
                {field}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  </Card>
);

/** What a subscription gives access to: the sections of the page and their columns. */
const lockedSections: { icon: IconName; title: string; fields: string[] }[] = [
  { icon: "route", title: "The way itself", fields: ["Waypoints", "Canals and straits", "Passage times", "GeoJSON"] },
  {
    icon: "calendar",
    title: "Sailing schedule",
    fields: ["Vessel", "Voyage", "ETD", "ETA", "Terminals", "Transhipment", "Cut-offs"],
  },
  { icon: "card", title: "Rates and surcharges", fields: ["Base rates", "BAF", "THC", "All-in total", "Validity"] },
  { icon: "container", title: "Capacity", fields: ["Free per sailing", "Nominal", "Booking status"] },
  { icon: "chart", title: "Thirteen months of history", fields: ["Rate", "Capacity", "On-time performance"] },
  { icon: "download", title: "Reports to download", fields: ["CSV", "JSON", "API with your own keys"] },
];
