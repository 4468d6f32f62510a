import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useLoaderData, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { watchesOfRoutes } from "#app/domain/alerts/watchlist.server.ts";
import type { RouteSummary } from "#app/domain/catalogue/browse.ts";
import { trafficOf } from "#app/domain/catalogue/geometry.server.ts";
import { nearbyPairs } from "#app/domain/catalogue/nearby.server.ts";
import { correctedSearch, facetsOf, searchRoutes } from "#app/domain/catalogue/search.server.ts";
import { type FacetName, type Facets, orderOf, type RouteSearch } from "#app/domain/catalogue/search.ts";
import { longestSearchName } from "#app/domain/saved-searches/policy.ts";
import { listSavedSearches } from "#app/domain/saved-searches/saved-searches.server.ts";
import { searchQuery } from "#app/domain/saved-searches/search-query.ts";
import { buyerOf } from "#app/domain/subscriptions/price.server.ts";
import { accessToRoutes } from "#app/domain/subscriptions/route-access.server.ts";
import { Button, ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { NearbyPairs } from "#app/portal/components/nearby-pairs.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { PortField } from "#app/portal/components/port-field.tsx";
import { TrafficMap } from "#app/portal/components/route-map/traffic-map.tsx";
import { RouteTable } from "#app/portal/components/route-table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { WatchForm } from "#app/portal/components/watch-button.tsx";
import { orFirstPage } from "#app/portal/first-page.server.ts";
import { formatCount, formatNumber, formatWord } from "#app/portal/format.ts";
import { countSearch } from "#app/portal/request-limits.server.ts";
import { routeRow } from "#app/portal/route-view.ts";
import { visit } from "#app/portal/session.server.ts";
import { trafficView } from "#app/portal/traffic-view.ts";
import { comparePath } from "../compare/path.ts";
import { type Chip, Chips } from "./chips.tsx";
import { type Filter, Filters, FiltersButton } from "./filters.tsx";
import { readSearch } from "./read-search.ts";
import { recentSearches, saveSearch, searchToKeep } from "./recent-searches.server.ts";
import { SaveSearch, SaveSearchDialog, type SearchToSave } from "./save-search.tsx";
import { facetLabels, orders, portLabels } from "./search-labels.ts";
import { enteredPorts, type SearchedPorts } from "./search-ports.server.ts";
import { useInstantSearch } from "./use-instant-search.ts";

export const meta: MetaFunction = () => [{ title: "Routes · Shipping Route Data Service" }];

const pageSize = 25;
const nearbyShown = 5;
const savedShown = 8;
/** Below the map, which is as heavy as many rows. */
const pageSizeWithMap = 6;

export const loader = async (args: LoaderFunctionArgs) => {
  const visitor = await visit(args);
  await countSearch(visitor);
  const { ctx, caller } = visitor;
  const params = new URL(args.request.url).searchParams;
  const ports = await enteredPorts(ctx, params);
  if (ports.path) throw redirect(ports.path);
  const { search, error } = readSearch(ports.params);
  const cursor = params.get("cursor") || undefined;
  const onMap = params.get("view") === "map";
  const limit = onMap ? pageSizeWithMap : pageSize;
  const { origin, destination, q } = search;
  const [page, { total, facets }, traffic, buyer, nearby, corrected, saved] = await Promise.all([
    orFirstPage((request) => searchRoutes(ctx, search, request), { limit, cursor }),
    facetsOf(ctx, search),
    onMap ? trafficOf(ctx, search) : null,
    buyerOf(ctx, caller?.account ?? null),
    origin && destination ? nearbyPairs(ctx, { origin, destination }, nearbyShown) : [],
    q === undefined ? null : correctedSearch(ctx, q),
    caller ? listSavedSearches(ctx, caller) : [],
  ]);
  const ids = page.rows.map(({ id }) => id);
  const [access, watches] = await Promise.all([
    accessToRoutes(ctx, caller, caller ? ids : []),
    caller && !onMap ? watchesOfRoutes(ctx, caller, ids) : null,
  ]);
  const recent = await recentSearches(args.request);
  const chips = chipsOf(facets, ports.found);
  const toKeep = total > 0 ? searchToKeep(search, ports.found) : null;
  const shown = {
    compare: total > 1 && total === page.rows.length ? pairPath(page.rows) : null,
    rows: page.rows.map((route) => routeRow(route, access.get(route.id)?.hasAccess ?? false, buyer)),
    signedIn: caller !== null,
    watches: watches && Object.fromEntries(watches),
    nextCursor: page.nextCursor,
    total,
    filters: filtersOf(facets, search),
    chips,
    ports: ports.fields,
    nearby,
    corrected: total > 0 ? corrected : null,
    order: orderOf(search),
    traffic: traffic && total > 0 ? trafficView(traffic) : null,
    // Offered where a search begins.
    recent: toKeep ? [] : recent,
    saved: saved.slice(0, savedShown).map(({ name, query }) => ({ label: name, to: `?${query}` })),
    savedCount: saved.length,
    toSave: searchToSave(search, { chips, found: ports.found, saved }),
    error,
  };
  return data(shown, toKeep ? { headers: { "Set-Cookie": await saveSearch(recent, toKeep) } } : {});
};

/** Null: nothing narrows the search. */
const searchToSave = (
  search: Parameters<typeof searchQuery>[0],
  { chips, found, saved }: { chips: Chip[]; found: SearchedPorts["found"]; saved: { name: string; query: string }[] },
): SearchToSave | null => {
  const query = searchQuery(search);
  if (query === "") return null;
  const pairAndWords = searchToKeep(search, found)?.label;
  const filters = chips.filter(({ name }) => name !== "origin" && name !== "destination").map(({ label }) => label);
  return {
    query,
    suggestedName: [pairAndWords, ...filters].filter(Boolean).join(", ").slice(0, longestSearchName).trim(),
    savedAs: saved.find((one) => one.query === query)?.name ?? null,
  };
};

/** The comparison of routes that are all between the same ports. */
const pairPath = ([first, ...others]: RouteSummary[]): string | null => {
  const isSamePair = ({ origin, destination }: RouteSummary) =>
    origin.unlocode === first?.origin.unlocode && destination.unlocode === first.destination.unlocode;
  return first && others.every(isSamePair) ? comparePath(first.origin.unlocode, first.destination.unlocode) : null;
};

/** Route groups become a filter only if there are at most this many. With more, choosing a trade lane comes first. */
const groupsShown = 12;

/** Values with the most routes first. */
const filtersOf = (facets: Facets, search: RouteSearch): Filter[] =>
  (Object.keys(facetLabels) as FacetName[])
    .filter((name) => name !== "route_group" || facets[name].length <= groupsShown || search.route_group?.length)
    .map((name) => ({
      name,
      label: facetLabels[name],
      values: facets[name]
        .toSorted((a, b) => b.routes - a.routes)
        .map(({ code, name, routes }) => ({ code, name: formatWord(name), routes })),
    }))
    .filter(({ values }) => values.length > 0);

const chipsOf = (facets: Facets, ports: SearchedPorts["found"]): Chip[] => [
  ...ports.map(({ name, port }) => ({ name, value: port.unlocode, label: `${portLabels[name]} ${port.name}` })),
  ...(Object.keys(facetLabels) as FacetName[]).flatMap((name) =>
    facets[name]
      .filter(({ chosen }) => chosen)
      .map((value) => ({ name, value: value.code, label: formatWord(value.name) })),
  ),
];

/** The default order has no query parameter: best match for a search, otherwise by name. */
const ordersFor = (isSearch: boolean) =>
  isSearch
    ? [{ value: "", label: "Best match" }, ...orders]
    : orders.map((order) => (order.value === "name" ? { ...order, value: "" } : order));

const Routes = () => {
  const { rows, compare, signedIn, watches, traffic, nextCursor, total, order, error } = useLoaderData<typeof loader>();
  const { filters, chips, ports, nearby, corrected, recent, saved, savedCount, toSave } =
    useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const { queryField, chosen, searching, formProps } = useInstantSearch();
  const onMap = search.get("view") === "map";
  const query = (search.get("q") ?? "").trim();
  const isSearch = query !== "";
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Routes"
        description="Port-to-port services of every carrier. Browsing is free; subscribe to a route to see its data."
        actions={
          <>
            <ButtonLink to="/routes.csv" icon="download" reloadDocument prefetch="none">
              Download all (CSV)
            </ButtonLink>
            <ButtonLink to="/regions" icon="globe">
              Browse by region
            </ButtonLink>
          </>
        }
      />
      {watches ? <WatchForm back={`/routes?${search}`} /> : null}
      {signedIn && toSave?.savedAs === null ? <SaveSearchDialog search={toSave} back={`/routes?${search}`} /> : null}
      <Form
        method="get"
        role="search"
        aria-label="Routes"
        {...formProps}
        className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[14.5rem_minmax(0,1fr)]"
      >
        {onMap ? <input type="hidden" name="view" value="map" /> : null}
        {search.get("port") ? <input type="hidden" name="port" value={search.get("port") ?? ""} /> : null}
        <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_1fr_1.3fr_auto] lg:col-span-2">
          <PortField name="origin" label="From port" submits {...ports.origin} />
          <PortField name="destination" label="To port" submits {...ports.destination} />
          <SearchField inputRef={queryField} defaultValue={search.get("q") ?? ""} error={error} />
          <Button variant="primary" icon="search" className="max-sm:col-span-2 sm:mt-6.5">
            Search
          </Button>
        </div>
        {saved.length > 0 ? (
          <SearchLinks label="Saved searches" searches={saved}>
            <Link to="/routes/saved" className="link">
              {savedCount > saved.length ? `View all ${formatNumber(savedCount)}` : "Manage"}
            </Link>
          </SearchLinks>
        ) : null}
        {recent.length > 0 ? <SearchLinks label="Recent searches" searches={recent} /> : null}
        {filters.length > 0 ? <Filters filters={filters} total={total} chosen={chosen} /> : null}
        <div
          id="results"
          tabIndex={-1}
          className={`grid min-w-0 gap-4 focus:outline-none ${filters.length > 0 ? "" : "lg:col-span-2"}`}
          aria-busy={searching || undefined}
        >
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="font-semibold text-ink" role="status">
              {formatCount(total, "route")}
            </p>
            {total > 0 || filters.length > 0 ? (
              <div className="flex items-center gap-3">
                <FiltersButton count={chips.length} />
                <SortField key={`${order} ${isSearch}`} order={order} isSearch={isSearch} />
              </div>
            ) : null}
          </div>
          {corrected ? (
            <p className="text-sm">
              Showing results for <strong>{corrected}</strong>. No matches for “{query}”.
            </p>
          ) : null}
          <Chips chips={chips} params={search} />
          {toSave || compare ? (
            <div className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
              {toSave ? <SaveSearch search={toSave} signedIn={signedIn} /> : null}
              {compare ? (
                <Link to={compare} className="link">
                  Compare these routes side by side
                </Link>
              ) : null}
            </div>
          ) : null}
          {total > 0 ? (
            <Tabs
              label="View"
              tabs={[
                { label: "List", to: viewLink(search, null), current: !onMap },
                { label: "Map", to: viewLink(search, "map"), current: onMap },
              ]}
            />
          ) : null}
          {traffic ? (
            <TrafficMap
              traffic={traffic}
              title={total === 1 ? "the matching route" : `${formatCount(total, "matching route")}`}
              portLink={(unlocode) => portLink(search, unlocode)}
            />
          ) : null}
          <Card flush>
            {rows.length > 0 ? (
              <RouteTable rows={rows} signedIn={signedIn} watches={watches ?? undefined} />
            ) : (
              <NoMatches query={query} isFiltered={chips.length > 0} />
            )}
          </Card>
          <Pagination nextCursor={nextCursor} />
          {nearby.length > 0 ? (
            <Card title="Nearby ports">
              <NearbyPairs pairs={nearby} />
            </Card>
          ) : null}
          <p className="flex items-center gap-2 text-[0.8125rem] text-muted">
            <Icon name="info" className="size-4" />
            Carriers, services and prices are fictitious demo data. Not for navigation.
          </p>
        </div>
      </Form>
    </div>
  );
};

type SearchLinksProps = { label: string; searches: { label: string; to: string }[]; children?: ReactNode };

const SearchLinks = ({ label, searches, children }: SearchLinksProps) => (
  <p className="wrap-anywhere flex flex-wrap gap-x-4 gap-y-1 text-sm lg:col-span-2">
    <span className="text-muted">{label}</span>
    {searches.map(({ label, to }) => (
      <Link key={to} to={to} className="link">
        {label}
      </Link>
    ))}
    {children}
  </p>
);

const NoMatches = ({ query, isFiltered }: { query: string; isFiltered: boolean }) => (
  <EmptyState
    icon="ship"
    title={query === "" ? "No routes match these filters" : `No routes match “${query}”`}
    action={<ButtonLink to="/routes">Show all routes</ButtonLink>}
  >
    {isFiltered ? "Remove a filter above, or search for" : "Search for"} a port, a country or a carrier:{" "}
    {examples.map((example, i) => (
      <span key={example}>
        {i === 0 ? null : i === examples.length - 1 ? " or " : ", "}
        <Link to={`?${new URLSearchParams({ q: example })}`} className="link">
          {example}
        </Link>
      </span>
    ))}
    .
  </EmptyState>
);

const examples = ["Shanghai Rotterdam", "NLRTM", "Japan", "Pelorin"];

const SearchField = ({
  inputRef,
  defaultValue,
  error,
}: {
  inputRef: React.RefObject<HTMLInputElement>;
  defaultValue: string;
  error: string | null;
}) => (
  <div className="grid gap-1.5 max-sm:col-span-2">
    <label htmlFor="q" className="font-medium text-ink text-sm">
      Search
    </label>
    <input
      ref={inputRef}
      id="q"
      name="q"
      type="search"
      className="control"
      placeholder="Port, country, carrier or code"
      defaultValue={defaultValue}
      autoComplete="off"
      spellCheck={false}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? "q-error" : undefined}
    />
    {error ? (
      <p id="q-error" className="font-medium text-[0.8125rem] text-danger">
        {error}
      </p>
    ) : null}
  </div>
);

const SortField = ({ order, isSearch }: { order: string; isSearch: boolean }) => {
  const defaultOrder = isSearch ? "relevance" : "name";
  return (
    <div className="flex items-center gap-2">
      <label htmlFor="sort" className="text-[0.8125rem] text-muted whitespace-nowrap">
        Sort by
      </label>
      <div className="relative">
        <select id="sort" name="sort" className="control" defaultValue={order === defaultOrder ? "" : order}>
          {ordersFor(isSearch).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </div>
  );
};

const viewLink = (search: URLSearchParams, view: string | null) => {
  const next = new URLSearchParams(search);
  next.delete("view");
  if (view) next.set("view", view);
  return `?${next}`;
};

const portLink = (search: URLSearchParams, unlocode: string) => {
  const next = new URLSearchParams(search);
  next.delete("cursor");
  next.set("port", unlocode);
  return `?${next}`;
};

export default Routes;
