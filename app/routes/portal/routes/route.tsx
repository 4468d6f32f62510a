import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { watchesOfRoutes } from "#app/domain/alerts/watchlist.server.ts";
import { freeDelayWeeks } from "#app/domain/benchmarks/policy.ts";
import { benchmarksOfLane } from "#app/domain/benchmarks/read.server.ts";
import { firstKnownDay } from "#app/domain/catalogue/as-of.server.ts";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import type { RouteSummary } from "#app/domain/catalogue/browse.ts";
import { alternativesOf, approximateGeometry } from "#app/domain/catalogue/geometry.server.ts";
import { nearbyPairs, otherRoutesOnPair } from "#app/domain/catalogue/nearby.server.ts";
import { priceHistory } from "#app/domain/catalogue/price-history.server.ts";
import { recentChanges } from "#app/domain/changes/list.server.ts";
import type { Context } from "#app/domain/context.ts";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { monthsOf, term, terms } from "#app/domain/pricing/discounts.ts";
import { offerOf, ownPrice } from "#app/domain/pricing/own-price.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { accessOf, findEntitlement } from "#app/domain/subscriptions/entitlement.server.ts";
import { getSubscription } from "#app/domain/subscriptions/list.server.ts";
import { buyerOf } from "#app/domain/subscriptions/price.server.ts";
import { readBasket, saveBasket, withItem } from "#app/portal/basket.server.ts";
import { chosenBenchmark } from "#app/portal/benchmark-view.ts";
import { type ChangeView, changeView } from "#app/portal/change-words.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { ChangeList } from "#app/portal/components/change-list.tsx";
import { CodeBlock } from "#app/portal/components/code-block.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PastDueAlert } from "#app/portal/components/past-due-alert.tsx";
import { Price, priceLabel } from "#app/portal/components/price.tsx";
import { RouteData, sectionsOf } from "#app/portal/components/route-data.tsx";
import { RouteMap } from "#app/portal/components/route-map/route-map.tsx";
import { SectionLinks } from "#app/portal/components/section-links.tsx";
import { Sparkline } from "#app/portal/components/sparkline.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { Term } from "#app/portal/components/term.tsx";
import { WatchButton, WatchForm } from "#app/portal/components/watch-button.tsx";
import { formAction, openForm } from "#app/portal/form-action.server.ts";
import {
  formatChange,
  formatDay,
  formatDayRange,
  formatNauticalMiles,
  formatSailings,
  formatWord,
} from "#app/portal/format.ts";
import { readKnownRoute } from "#app/portal/known-on.server.ts";
import { noticesOfPage } from "#app/portal/notices.server.ts";
import { idField, idOf } from "#app/portal/params.ts";
import { pastDueOf } from "#app/portal/past-due.ts";
import { priceFromView, priceView } from "#app/portal/price-view.ts";
import { type RouteDataView, routeDataView } from "#app/portal/route-data-view.ts";
import { routeMapView } from "#app/portal/route-map-view.ts";
import { toRegistration, visit } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { comparePath } from "../compare/path.ts";
import { Alternatives, alternativeView } from "./alternatives.tsx";
import { AsOf } from "./as-of.tsx";
import { choiceIn, pathOfChoice } from "./choice.ts";
import { KnownOnBanner, KnownOnForm } from "./known-on.tsx";
import { OtherRoutes } from "./other-routes.tsx";
import { PriceHistory } from "./price-history.tsx";
import { SubscribeCard } from "./subscribe-card.tsx";
import { WhatYouGet } from "./what-you-get.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.route.name}, ${data.route.carrier.name}` : "Route"} · Shipping Route Data Service` },
];

/** The newest price changes on the page. */
const pricesShown = 12;

const changesShown = 8;
const othersShown = 6;
const nearbyShown = 5;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const id = idOf(args.params.route_id);
  const search = new URL(args.request.url).searchParams;
  const [[route], entitlement, buyer, prices, watches] = await Promise.all([
    summariesOf(ctx, [id]),
    findEntitlement(ctx, caller, id),
    buyerOf(ctx, caller?.account ?? null),
    priceHistory(ctx, { routeId: id, limit: pricesShown }),
    caller && watchesOfRoutes(ctx, caller, [id]),
  ]);
  if (!route || !entitlement) throw new Response("No such route", { status: 404 });
  const now = ctx.clock.now();
  const access = accessOf(dayOf(now), caller, entitlement);
  const pair = { origin: route.origin.unlocode, destination: route.destination.unlocode };
  const [opened, shown, changes, pastDue, others, nearby] = await Promise.all([
    access.hasAccess ? readKnownRoute({ ctx, caller }, { routeId: id, entitlement }, search) : null,
    access.hasAccess ? null : readPublicSide(ctx, caller, route),
    access.hasAccess && caller && !route.isSample
      ? recentChanges(ctx, caller, { routeId: id, limit: changesShown })
      : null,
    access.hasAccess && caller ? pastDueOnRoute({ ctx, caller }, id) : null,
    otherRoutesOnPair(ctx, { id, cargoType: route.cargoType, ...pair }, othersShown),
    nearbyPairs(ctx, pair, nearbyShown),
  ]);
  const data = opened?.data ?? null;
  const { periodId, ...choice } = choiceIn(search);
  const waypoints = data?.record.row.waypoints ?? shown?.waypoints ?? [];
  const alternatives = (data?.record.alternatives ?? shown?.alternatives ?? []).map(alternativeView);
  return {
    appUrl: ctx.settings.appUrl,
    username: caller?.account.username ?? null,
    chosenOffer: Math.max(
      0,
      route.periods.findIndex(({ id }) => id === periodId),
    ),
    choice,
    route: { ...route, periods: undefined },
    priceFrom: priceFromView(buyer, route.periods.map(offerOf)),
    offers: route.periods.map((period) => ({
      id: period.id,
      name: period.name,
      freshness: period.freshness,
      startsOn: period.startsOn,
      lines: terms.map((term) => ({
        term,
        months: monthsOf[term],
        price: priceView(ownPrice(buyer, { ...offerOf(period), term })),
      })),
    })),
    prices: prices.map((price) => ({ ...price, validFrom: dayOf(price.validFrom) })),
    map: routeMapView({
      ...route,
      waypoints,
      indicative: !data,
      alternatives: alternatives.flatMap(({ line }) => (line ? [line] : [])),
    }),
    // Their lines are on the map.
    alternatives: alternatives.map(({ line: _, ...alternative }) => alternative),
    others,
    nearby,
    data: data && routeDataView(data, dayOf(data.asOf ?? now)),
    // Later changes are left out of an earlier day.
    changes: opened?.knownOn ? null : (changes?.map(changeView) ?? null),
    now: now.toISOString(),
    etag: opened?.etag ?? "",
    known: {
      on: opened?.knownOn ?? null,
      problem: opened?.problem ?? null,
      first: firstKnownDay(ctx),
      last: addDays(dayOf(now), -1),
    },
    market: chosenBenchmark(shown?.market ?? [], null),
    access,
    pastDue,
    signedIn: caller !== null,
    beforeTax: ctx.tax !== null,
    watchId: watches?.get(id) ?? null,
  };
};

/** What everybody may see in place of the data. */
const readPublicSide = async (ctx: Context, caller: Caller | null, route: RouteSummary) => {
  const [waypoints, alternatives, market] = await Promise.all([
    approximateGeometry(ctx, route.id),
    alternativesOf(ctx, route.id),
    benchmarksOfLane(ctx, caller, { tradeLane: route.tradeLane.code, cargoType: route.cargoType }),
  ]);
  return { waypoints, alternatives, market };
};

const pastDueOnRoute = async ({ ctx, caller }: { ctx: Context; caller: Caller }, routeId: number) => {
  const { pastDue } = await noticesOfPage(ctx, caller);
  const due = pastDue.find((renewal) => renewal.routeId === routeId);
  return due ? pastDueOf(await getSubscription(ctx, caller, { id: due.subscriptionId })) : null;
};

const subscription = z.object({
  period_id: idField,
  term,
  auto_renew: z.literal("on").optional(),
});

export const action = (args: ActionFunctionArgs) =>
  formAction({
    subscribe: openForm(subscription, async ({ ctx, caller }, input) => {
      const item = { periodId: input.period_id, term: input.term };
      const autoRenew = input.auto_renew === "on";
      if (!caller) throw toRegistration(pathOfChoice(idOf(args.params.route_id), { ...item, autoRenew }));
      const { orderId } = await checkout(ctx, caller, { items: [item], autoRenew });
      throw redirect(`/checkout/${orderId}`);
    }),
    add: openForm(subscription, async (_, input) => {
      const { items } = await readBasket(args.request);
      const basket = {
        items: withItem(items, { periodId: input.period_id, term: input.term }),
        autoRenew: input.auto_renew === "on",
      };
      const message = `Added to your basket for ${formatWord(input.term).toLowerCase()}.`;
      const link = { label: "View basket", to: "/basket" };
      const here = `/routes/${idOf(args.params.route_id)}#subscribe`;
      throw await redirectWithToast(here, { message, link }, { headers: await saveBasket(basket) });
    }),
  })(args);

const RoutePage = () => {
  const {
    route,
    offers,
    chosenOffer,
    choice,
    prices,
    map,
    alternatives,
    data,
    changes,
    others,
    nearby,
    now,
    access,
    pastDue,
    signedIn,
    beforeTax,
    appUrl,
    username,
  } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem ?? undefined;
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
          access.reason === "sample" ? (
            <Badge tone="accent">Sample</Badge>
          ) : access.reason in accessBadges ? (
            <StatusBadge status={accessBadges[access.reason] ?? "expired"} />
          ) : null
        }
        description={
          <>
            {route.carrier.name} · <span className="whitespace-nowrap font-mono text-sm">{route.code}</span>
            {data ? ` · ${directOrVia(data)}` : null}
          </>
        }
        actions={<Actions />}
      />
      {signedIn ? <WatchForm back={`/routes/${route.id}`} /> : null}
      {pastDue ? <PastDueAlert renewal={pastDue} /> : null}
      {route.isSample && data ? <SampleNotice signedIn={signedIn} /> : null}
      {data ? (
        <SectionLinks
          sections={[
            ...(changes ? [{ id: "changes", label: "Changes" }] : []),
            ...sectionsOf(data),
            { id: "api", label: "API" },
            ...(route.isSample ? [] : [{ id: "subscribe", label: "Extend" }]),
          ]}
        />
      ) : null}
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20.5rem]">
        <RouteMap route={map} />
        <Facts />
      </div>
      {alternatives.length > 0 ? <Alternatives alternatives={alternatives} /> : null}
      {data ? (
        <>
          <KnownTime />
          {changes ? <WhatChanged changes={changes} now={now} /> : null}
          <RouteData data={data} routeId={route.id} />
          <ApiExample appUrl={appUrl} routeId={route.id} username={username ?? "YOUR_USERNAME"} />
        </>
      ) : (
        <>
          <WhatYouGet lapsed={access.reason === "expired"} suspended={access.reason === "account_suspended"} />
          <MarketPreview />
        </>
      )}
      {route.isSample ? null : (
        <section id="subscribe" tabIndex={-1} aria-label="Subscribe" className="focus:outline-none">
          <SubscribeCard
            offers={offers}
            chosen={chosenOffer}
            choice={choice}
            problem={problem}
            signedIn={signedIn}
            extending={data !== null}
            beforeTax={beforeTax}
          />
        </section>
      )}
      <OtherRoutes others={others} nearby={nearby} />
      {prices.length > 0 ? <PriceHistory prices={prices} /> : null}
    </div>
  );
};

export default RoutePage;

const Actions = () => {
  const { route, data, known, access, signedIn, watchId } = useLoaderData<typeof loader>();
  return (
    <>
      {signedIn ? <WatchButton route={route} watchId={watchId} /> : null}
      {data ? (
        <>
          <ButtonLink to={comparePath(route.origin.unlocode, route.destination.unlocode)}>Compare</ButtonLink>
          <ButtonLink to={`/download?route_id=${route.id}`} icon="download">
            Download
          </ButtonLink>
          <ButtonLink
            to={`/routes/${route.id}/data.json${known.on === null ? "" : `?as_of=${known.on}`}`}
            reloadDocument
            prefetch="none"
            icon="download"
          >
            JSON
          </ButtonLink>
          <ButtonLink to={`/routes/${route.id}/way.geojson`} reloadDocument prefetch="none" icon="download">
            GeoJSON
          </ButtonLink>
          {route.isSample ? null : <ButtonLink to="#subscribe">Extend</ButtonLink>}
        </>
      ) : (
        <>
          <ButtonLink to={comparePath(route.origin.unlocode, route.destination.unlocode)}>Compare</ButtonLink>
          <ButtonLink to="#subscribe" variant="primary">
            {access.reason === "expired" ? "Renew" : "Subscribe"}
          </ButtonLink>
        </>
      )}
    </>
  );
};

/** When the data is from, and the choice of an earlier day. */
const KnownTime = () => {
  const { route, data, etag, known } = useLoaderData<typeof loader>();
  if (!data) return null;
  return (
    <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      {known.on === null ? (
        <AsOf routeId={route.id} asOf={data.asOf} etag={etag} />
      ) : (
        <div className="w-full">
          <KnownOnBanner routeId={route.id} knownOn={known.on} />
        </div>
      )}
      <KnownOnForm first={known.first} last={known.last} knownOn={known.on} problem={known.problem} />
    </div>
  );
};

const directOrVia = ({ departures, transhipmentPorts }: RouteDataView): string | null =>
  transhipmentPorts.length > 0 ? `Via ${transhipmentPorts.join(", ")}` : departures.length > 0 ? "Direct" : null;

const accessBadges: Record<string, "active" | "expiring_soon" | "cancelled" | "expired"> = {
  active: "active",
  expiring_soon: "expiring_soon",
  cancelled: "cancelled",
  expired: "expired",
};

const PortLink = ({ name, unlocode }: { name: string; unlocode: string }) => (
  <Link to={`/routes?port=${unlocode}`} className="link">
    {name} ({unlocode})
  </Link>
);

/** Public facts about the route, beside its map. */
const Facts = () => {
  const { route, priceFrom, access, signedIn } = useLoaderData<typeof loader>();
  return (
    <Card
      footer={
        access.accessUntil ? (
          <>
            Last day with access{" "}
            <strong className="font-semibold text-ink">{formatDay(addDays(access.accessUntil, -1))}</strong>
          </>
        ) : priceFrom ? (
          <>
            {priceLabel(signedIn)} from <Price price={priceFrom} unit="per month" />
          </>
        ) : route.isSample ? (
          "Free sample"
        ) : (
          "Not on sale"
        )
      }
    >
      <DescriptionList
        layout="beside"
        facts={[
          { term: "Origin", description: <PortLink {...route.origin} /> },
          { term: "Destination", description: <PortLink {...route.destination} /> },
          { term: "Cargo", description: formatWord(route.cargoType) },
          { term: "Distance", description: formatNauticalMiles(route.distanceNm) },
          { term: "Service levels", description: route.serviceLevels.map(formatWord).join(", ") },
          {
            term: "Indicative transit time",
            heading: (
              <>
                Indicative <Term name="Transit time">transit time</Term>
              </>
            ),
            description: formatDayRange(route.transitDays),
          },
          { term: "Sailings", description: formatSailings(route.sailingsPerWeek) },
          { term: "Trade lane", description: route.tradeLane.name },
        ]}
      />
    </Card>
  );
};

const WhatChanged = ({ changes, now }: { changes: ChangeView[]; now: string }) => {
  return (
    <Card
      id="changes"
      title="Changes"
      description={
        <>
          Latest changes to this route's data. Also available{" "}
          <Link to="/docs/changes" className="link">
            by API
          </Link>
          .
        </>
      }
      flush
    >
      {changes.length > 0 ? (
        <ChangeList changes={changes} now={now} />
      ) : (
        <EmptyState icon="clock" title="No changes yet">
          New rates, capacity, sailings and corrections will be listed here.
        </EmptyState>
      )}
    </Card>
  );
};

/** What everybody may see of the lane's rates. */
const MarketPreview = () => {
  const { market } = useLoaderData<typeof loader>();
  if (!market) return null;
  const { tradeLane, cargo, change, weeks, newest, access } = market;
  return (
    <Card
      title="Market preview"
      description={
        <>
          <Term name="All-in rate">All-in rates</Term> on {tradeLane.name}, {cargo}.{" "}
          <Link to={`/trade-lanes/${tradeLane.code}#market`} className="link">
            View trade lane
          </Link>
        </>
      }
      actions={access === "free" ? <Badge>Delayed {freeDelayWeeks} weeks</Badge> : null}
    >
      <p className="mb-2 text-ink text-sm leading-6">
        In the week of {formatDay(newest.week)} the index of the median rate was <strong>{newest.index}</strong> (week
        of {formatDay(weeks[0].week)} = 100)
        {change.weeks4 === null ? "." : `, ${formatChange(change.weeks4 / 100)} in four weeks.`}
      </p>
      <Sparkline values={weeks.map(({ index }) => index)} label={`Rate index over ${weeks.length} weeks`} />
    </Card>
  );
};

const SampleNotice = ({ signedIn }: { signedIn: boolean }) => (
  <Alert title="Free sample">
    A subscription gives you the same data, files and API for any other route.{" "}
    {signedIn ? (
      <Link to="/routes" className="link">
        Browse all routes
      </Link>
    ) : (
      <Link to="/register" className="link">
        Create a free account to use the API
      </Link>
    )}
  </Alert>
);

const ApiExample = ({ appUrl, routeId, username }: { appUrl: string; routeId: number; username: string }) => (
  <Card
    id="api"
    title="API"
    description={
      <>
        Read the same data with one of your{" "}
        <Link to="/api-keys" className="link">
          API keys
        </Link>
        . Viewing this page does not count as an API request.
      </>
    }
  >
    <CodeBlock
      title="curl"
      code={`curl '${appUrl}/api/api-routes-data?id=${routeId}' \\\n  -H 'X-API-Key: srd_live_…' \\\n  -H 'X-Username: ${username}'`}
    />
  </Card>
);
