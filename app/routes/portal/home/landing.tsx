import { Link } from "@remix-run/react";
import { volumeDiscountsInWords } from "#app/domain/pricing/volume-discount.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { CodeBlock } from "#app/portal/components/code-block.tsx";
import { Icon, type IconName } from "#app/portal/components/icon.tsx";
import { PairSearch } from "#app/portal/components/pair-search.tsx";
import { ListPrice, priceLabel } from "#app/portal/components/price.tsx";
import { RouteMap } from "#app/portal/components/route-map/route-map.tsx";
import { Term } from "#app/portal/components/term.tsx";
import { formatCount, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import type { LandingData } from "./landing.server.ts";

/** The home page of visitors. */
export const Landing = ({ route, counts, samples, regions, priceFrom, terms, appUrl }: LandingData) => (
  <div className="grid gap-14 py-4 sm:py-8">
    <section className="grid items-center gap-8 lg:grid-cols-[1fr_1.2fr]">
      <div>
        <h1 className="text-balance font-semibold text-3xl text-ink leading-tight tracking-tight sm:text-[2.6rem]">
          Shipping route data for freight teams
        </h1>
        <p className="mt-4 max-w-prose text-lg text-muted leading-7">
          Schedules, transit times, rates, surcharges and space available on {formatNumber(counts.routes)} routes in{" "}
          {formatNumber(counts.tradeLanes)} trade lanes. Subscribe to the routes you ship, and read their data here or
          through the API.
        </p>
        <div className="mt-6">
          <PairSearch />
        </div>
        <p className="mt-4 text-muted text-sm">
          Browsing is free.{" "}
          <Link to="/register" className="font-medium text-accent underline underline-offset-3">
            Create an account
          </Link>{" "}
          to subscribe.
        </p>
      </div>
      {route ? (
        <Link to={`/routes/${route.id}`} className="block rounded-xl" aria-label={`View route ${route.name}`}>
          <RouteMap route={route.map} still />
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
    {samples.length > 0 ? <Samples samples={samples} /> : null}
    <section aria-labelledby="regions">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="regions" className="font-semibold text-2xl text-ink tracking-tight">
          Browse by region
        </h2>
        <Link to="/routes" prefetch="intent" className="link text-sm">
          All {formatNumber(counts.routes)} routes
        </Link>
      </div>
      <p className="mt-1 text-muted text-sm">{priceLabel(false)} for one route and one month, lowest first.</p>
      <ul className="mt-4 grid gap-px overflow-hidden rounded-xl border border-line bg-line shadow-card sm:grid-cols-2 lg:grid-cols-3">
        {regions.map(({ code, name, routes, priceFrom }) => (
          <li key={code} className="bg-surface last:odd:sm:max-lg:col-span-2 forced-colors:outline">
            <Link
              to={`/regions/${code}`}
              prefetch="intent"
              className="flex h-full items-center justify-between gap-4 px-5 py-3.5 hover:bg-canvas focus-visible:-outline-offset-2"
            >
              <span className="font-medium text-ink">{name}</span>
              <span className="text-right text-[0.8125rem] text-muted leading-5">
                {formatCount(routes, "route")}
                {priceFrom ? (
                  <span className="block whitespace-nowrap">
                    from <ListPrice {...priceFrom} />
                    {formatMoney(priceFrom.cents)}
                  </span>
                ) : null}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
    <Prices priceFrom={priceFrom} terms={terms} />
    <section className="grid items-center gap-8 lg:grid-cols-2">
      <div>
        <h2 className="font-semibold text-2xl text-ink tracking-tight">Connect your systems with one request</h2>
        <p className="mt-2 max-w-prose text-muted leading-7">
          Send a route ID and two headers, and get JSON in the terms of the trade: <Term name="UN/LOCODE" />,{" "}
          <Term name="TEU" />, BAF, transit days. Amounts are in cents and times in UTC. Lists have cursor pagination,
          and ETags save transfers.
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

/** Routes whose data is free, one for each cargo type. */
const Samples = ({ samples }: Pick<LandingData, "samples">) => (
  <section aria-labelledby="samples">
    <h2 id="samples" className="font-semibold text-2xl text-ink tracking-tight">
      Try it before you subscribe
    </h2>
    <p className="mt-1 text-muted text-sm">All data of one real route per cargo type, without an account.</p>
    <ul className="mt-4 grid gap-px overflow-hidden rounded-xl border border-line bg-line shadow-card sm:grid-cols-2 lg:grid-cols-4">
      {samples.map(({ id, name, cargoType, carrier }) => (
        <li key={id} className="bg-surface forced-colors:outline">
          <Link
            to={`/routes/${id}`}
            prefetch="intent"
            className="block h-full px-5 py-3.5 hover:bg-canvas focus-visible:-outline-offset-2"
          >
            <span className="block text-[0.8125rem] text-muted leading-5">{formatWord(cargoType)}</span>
            <span className="block font-medium text-ink">{name}</span>
            <span className="block text-[0.8125rem] text-muted leading-5">{carrier}</span>
          </Link>
        </li>
      ))}
    </ul>
  </section>
);

const Prices = ({ priceFrom, terms }: Pick<LandingData, "priceFrom" | "terms">) => (
  <section aria-labelledby="prices">
    <h2 id="prices" className="font-semibold text-2xl text-ink tracking-tight">
      Pay for the routes you ship
    </h2>
    <p className="mt-2 max-w-3xl text-muted leading-7">
      {priceFrom ? (
        <>
          {priceLabel(false)}: from <ListPrice {...priceFrom} />
          {formatMoney(priceFrom.cents)} per route and month
          {priceFrom.reason === null ? "" : `, ${priceFrom.reason}`}.{" "}
        </>
      ) : null}
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

const points: { icon: IconName; title: string; text: string }[] = [
  {
    icon: "route",
    title: "Routing and schedules",
    text: "Waypoints, canals and straits with passage times on a map, and departures and arrivals by service level.",
  },
  {
    icon: "chart",
    title: "13 months of history",
    text: "Weekly rates and capacity, monthly schedules and on-time performance, to see where a trade lane is heading.",
  },
  {
    icon: "key",
    title: "Portal and API",
    text: "The same data in your browser and as JSON. API keys work at once, and stop working as soon as you revoke them.",
  },
];
