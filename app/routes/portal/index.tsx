import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { browse } from "../../domain/catalogue/browse.server.ts";
import { approximateGeometry } from "../../domain/catalogue/geometry.server.ts";
import { listRegions } from "../../domain/catalogue/hierarchy.server.ts";
import { terms } from "../../domain/pricing/discounts.ts";
import { termDiscountPercent } from "../../domain/pricing/policy.ts";
import { volumeDiscountsInWords } from "../../domain/pricing/volume-discount.ts";
import { Button, ButtonLink } from "../../portal/components/button.tsx";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import { Icon, type IconName } from "../../portal/components/icon.tsx";
import { RouteMap } from "../../portal/components/route-map/route-map.tsx";
import { formatCount, formatMoney, formatNumber, formatWord } from "../../portal/format.ts";
import { visit } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [
  { title: "Shipping Route Data Service" },
  {
    name: "description",
    content:
      "Schedules, transit times, rates and capacity of shipping routes, by subscription: in the browser and by API.",
  },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const shown = { origin: "CNSHA", destination: "NLRTM" };
  const [featured, regions] = await Promise.all([browse(ctx, shown, { limit: 1 }), listRegions(ctx)]);
  const sum = (of: (region: (typeof regions)[number]) => number) => regions.reduce((total, one) => total + of(one), 0);
  const route = featured.rows[0] ?? null;
  return {
    route: route && {
      id: route.id,
      name: route.name,
      origin: route.origin,
      destination: route.destination,
      waypoints: await approximateGeometry(ctx, route.id),
    },
    counts: { routes: sum(({ routes }) => routes), tradeLanes: sum(({ tradeLanes }) => tradeLanes) },
    regions: regions
      .filter(({ routes }) => routes > 0)
      .map(({ code, name, routes, priceFromCents }) => ({ code, name, routes, priceFromCents })),
    terms: terms.map((term) => ({ term, discountPercent: termDiscountPercent[term] })),
    appUrl: ctx.settings.appUrl,
    signedIn: caller !== null,
  };
};

const Landing = () => {
  const { route, counts, regions, appUrl, signedIn } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-14 py-4 sm:py-8">
      <section className="grid items-center gap-8 lg:grid-cols-[1fr_1.2fr]">
        <div>
          <h1 className="text-balance font-semibold text-3xl text-ink leading-tight tracking-tight sm:text-[2.6rem]">
            Know the route before you book the box
          </h1>
          <p className="mt-4 max-w-prose text-lg text-muted leading-7">
            Schedules, transit times, rates, surcharges and capacity of {formatNumber(counts.routes)} shipping routes on{" "}
            {formatNumber(counts.tradeLanes)} trade lanes. Subscribe to the ones you ship; read them here, or by API.
          </p>
          <Form method="get" action="/routes" role="search" className="mt-6 flex flex-wrap gap-2.5">
            <label htmlFor="q" className="sr-only">
              Search routes
            </label>
            <input id="q" name="q" type="search" placeholder="Shanghai Rotterdam" className="control min-w-0 flex-1" />
            <Button variant="primary" icon="search">
              Find routes
            </Button>
          </Form>
          <p className="mt-4 text-muted text-sm">
            {signedIn ? (
              <Link to="/subscriptions" className="font-medium text-accent underline underline-offset-3">
                Go to your subscriptions
              </Link>
            ) : (
              <>
                Browsing is free.{" "}
                <Link to="/register" className="font-medium text-accent underline underline-offset-3">
                  Create an account
                </Link>{" "}
                when you want the data.
              </>
            )}
          </p>
        </div>
        {route ? (
          <Link to={`/routes/${route.id}`} className="block rounded-xl" aria-label={`${route.name}: see this route`}>
            <RouteMap origin={route.origin} destination={route.destination} waypoints={route.waypoints} indicative />
          </Link>
        ) : null}
      </section>
      <section aria-label="What you get" className="grid gap-6 sm:grid-cols-3">
        {points.map(({ icon, title, text }) => (
          <div key={title} className="rounded-xl border border-line bg-surface p-5 shadow-card">
            <Icon name={icon} className="size-6 text-accent" />
            <h2 className="mt-3 font-semibold text-ink">{title}</h2>
            <p className="mt-1 text-muted text-sm leading-6">{text}</p>
          </div>
        ))}
      </section>
      <section aria-labelledby="regions">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id="regions" className="font-semibold text-2xl text-ink tracking-tight">
            Browse by region
          </h2>
          <Link to="/routes" prefetch="intent" className="link text-sm">
            All {formatNumber(counts.routes)} routes
          </Link>
        </div>
        <ul className="mt-5 grid gap-px overflow-hidden rounded-xl border border-line bg-line shadow-card sm:grid-cols-2 lg:grid-cols-3">
          {regions.map(({ code, name, routes, priceFromCents }) => (
            <li key={code} className="bg-surface last:odd:sm:max-lg:col-span-2 forced-colors:outline">
              <Link
                to={`/regions/${code}`}
                prefetch="intent"
                className="flex h-full items-center justify-between gap-4 px-5 py-3.5 hover:bg-canvas focus-visible:-outline-offset-2"
              >
                <span className="font-medium text-ink">{name}</span>
                <span className="text-right text-[0.8125rem] text-muted leading-5">
                  {formatCount(routes, "route")}
                  {priceFromCents === null ? null : <span className="block">from {formatMoney(priceFromCents)}</span>}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <Prices />
      <section className="grid items-center gap-8 lg:grid-cols-2">
        <div>
          <h2 className="font-semibold text-2xl text-ink tracking-tight">One request to your own systems</h2>
          <p className="mt-2 max-w-prose text-muted leading-7">
            Two headers and a route's number. Answers are plain JSON in the trade's own terms: UN/LOCODE, TEU, BAF,
            transit days. Money in cents, times in UTC, lists with cursors, ETags on everything that can be cached.
          </p>
          <ButtonLink to="/docs" className="mt-5" icon="book">
            Read the documentation
          </ButtonLink>
        </div>
        <CodeBlock
          title="curl"
          code={`curl '${appUrl}/api/api-routes-data?id=${route?.id ?? 1}' \\\n  -H 'X-API-Key: srd_live_…' \\\n  -H 'X-Username: forwarder-ops'`}
        />
      </section>
    </div>
  );
};

export default Landing;

const Prices = () => {
  const { terms, regions } = useLoaderData<typeof loader>();
  const from = Math.min(...regions.flatMap(({ priceFromCents }) => priceFromCents ?? []));
  return (
    <section aria-labelledby="prices">
      <h2 id="prices" className="font-semibold text-2xl text-ink tracking-tight">
        Pay for the routes you ship
      </h2>
      <p className="mt-2 max-w-3xl text-muted leading-7">
        {Number.isFinite(from) ? `From ${formatMoney(from)} a route and month. ` : null}
        {volumeDiscountsInWords}
      </p>
      <ul className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line shadow-card sm:grid-cols-5">
        {terms.map(({ term, discountPercent }) => (
          <li key={term} className="bg-surface px-5 py-4 max-sm:last:odd:col-span-2 forced-colors:outline">
            <span className="block text-muted text-sm">{formatWord(term)}</span>
            <span className="mt-0.5 block font-semibold text-ink text-xl tracking-tight">
              {discountPercent === 0 ? "List price" : `${discountPercent}% off`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

const points: { icon: IconName; title: string; text: string }[] = [
  {
    icon: "route",
    title: "The whole way",
    text: "Waypoints, canals and straits with passage times, drawn on the map, with departures and arrivals by service level.",
  },
  {
    icon: "chart",
    title: "Thirteen months behind it",
    text: "Weekly rates and capacity, monthly schedule and on-time figures: see where a lane is heading, not only where it is.",
  },
  {
    icon: "key",
    title: "For people and programs",
    text: "The same data in the browser and as JSON. Keys that work at once and stop working at once.",
  },
];
