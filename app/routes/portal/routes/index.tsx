import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { trafficOf } from "#app/domain/catalogue/geometry.server.ts";
import { facetsOf, searchRoutes } from "#app/domain/catalogue/search.server.ts";
import { type FacetName, type Facets, orderOf, type RouteSearch } from "#app/domain/catalogue/search.ts";
import { accessToRoutes } from "#app/domain/subscriptions/route-access.server.ts";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { TrafficMap } from "#app/portal/components/route-map/traffic-map.tsx";
import { RouteTable } from "#app/portal/components/route-table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { orFirstPage } from "#app/portal/first-page.server.ts";
import { formatCount, formatWord } from "#app/portal/format.ts";
import { routeRow } from "#app/portal/route-view.ts";
import { visit } from "#app/portal/session.server.ts";
import { trafficView } from "#app/portal/traffic-view.ts";
import { type Chip, Chips } from "./chips.tsx";
import { type Filter, Filters, FiltersButton } from "./filters.tsx";
import { readSearch } from "./read-search.ts";
import { useInstantSearch } from "./use-instant-search.ts";

export const meta: MetaFunction = () => [{ title: "Routes · Shipping Route Data Service" }];

const pageSize = 25;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const params = new URL(args.request.url).searchParams;
  const { search, error } = readSearch(params);
  const cursor = params.get("cursor") || undefined;
  const [page, { total, facets }, traffic] = await Promise.all([
    orFirstPage((request) => searchRoutes(ctx, search, request), { limit: pageSize, cursor }),
    facetsOf(ctx, search),
    params.get("view") === "map" ? trafficOf(ctx, search) : null,
  ]);
  const ids = page.rows.map(({ id }) => id);
  const access = caller ? await accessToRoutes(ctx, caller, ids) : new Map();
  return {
    rows: page.rows.map((route) => routeRow(route, access.get(route.id)?.hasAccess ?? false)),
    nextCursor: page.nextCursor,
    total,
    filters: filtersOf(facets, search),
    chips: chipsOf(facets, search),
    order: orderOf(search),
    traffic: traffic && total > 0 ? trafficView(traffic) : null,
    error,
  };
};

const labels = {
  cargo_type: "Cargo",
  region: "From region",
  trade_lane: "Trade lane",
  route_group: "Route group",
  carrier: "Carrier",
  service_level: "Service level",
  freshness: "Freshness",
} as const satisfies Record<FacetName, string>;

/** Route groups become a filter only if there are at most this many. With more, choosing a trade lane comes first. */
const groupsShown = 12;

/** Values with the most routes first. */
const filtersOf = (facets: Facets, search: RouteSearch): Filter[] =>
  (Object.keys(labels) as FacetName[])
    .filter((name) => name !== "route_group" || facets[name].length <= groupsShown || search.route_group?.length)
    .map((name) => ({
      name,
      label: labels[name],
      values: facets[name]
        .toSorted((a, b) => b.routes - a.routes)
        .map(({ code, name, routes }) => ({ code, name: formatWord(name), routes })),
    }))
    .filter(({ values }) => values.length > 0);

const chipsOf = (facets: Facets, search: RouteSearch): Chip[] => [
  ...(["origin", "destination", "port"] as const).flatMap((name) => {
    const value = search[name];
    return value ? [{ name, value, label: { origin: "From ", destination: "To ", port: "Port " }[name] + value }] : [];
  }),
  ...(Object.keys(labels) as FacetName[]).flatMap((name) =>
    facets[name]
      .filter(({ chosen }) => chosen)
      .map((value) => ({ name, value: value.code, label: formatWord(value.name) })),
  ),
];

const orders = [
  { value: "name", label: "Name" },
  { value: "transit", label: "Transit time" },
  { value: "distance", label: "Distance" },
  { value: "price", label: "Price" },
  { value: "sailings", label: "Sailings a week" },
];

/** The default order has no query parameter: best match for a search, otherwise by name. */
const ordersFor = (isSearch: boolean) =>
  isSearch
    ? [{ value: "", label: "Best match" }, ...orders]
    : orders.map((order) => (order.value === "name" ? { ...order, value: "" } : order));

const Routes = () => {
  const { rows, traffic, nextCursor, total, filters, chips, order, error } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const { queryField, chosen, searching, formProps } = useInstantSearch();
  const onMap = search.get("view") === "map";
  const query = (search.get("q") ?? "").trim();
  const isSearch = query !== "";
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Routes"
        description="Port to port, carrier by carrier. Everything here is free to browse; a subscription opens a route's data."
        actions={
          <ButtonLink to="/regions" icon="globe">
            Browse by region
          </ButtonLink>
        }
      />
      <Form
        method="get"
        role="search"
        aria-label="Routes"
        {...formProps}
        className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[14.5rem_minmax(0,1fr)]"
      >
        {onMap ? <input type="hidden" name="view" value="map" /> : null}
        {(["origin", "destination", "port"] as const).map((name) =>
          search.get(name) ? <input key={name} type="hidden" name={name} value={search.get(name) ?? ""} /> : null,
        )}
        <div className="flex flex-wrap items-end gap-x-3 gap-y-3 lg:col-span-2">
          <SearchField inputRef={queryField} defaultValue={search.get("q") ?? ""} error={error} />
          <Button variant="primary" icon="search">
            Search
          </Button>
        </div>
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
          <Chips chips={chips} params={search} />
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
              title={total === 1 ? "the one route found" : `all ${formatCount(total, "route")} found`}
              portLink={(unlocode) => portLink(search, unlocode)}
            />
          ) : null}
          <Card flush>
            {rows.length > 0 ? <RouteTable rows={rows} /> : <NoMatches query={query} isFiltered={chips.length > 0} />}
          </Card>
          <Pagination nextCursor={nextCursor} />
          <p className="flex items-center gap-2 text-[0.8125rem] text-muted">
            <Icon name="info" className="size-4" />
            Carriers, services and prices are invented for demonstration. Not for navigation.
          </p>
        </div>
      </Form>
    </div>
  );
};

const NoMatches = ({ query, isFiltered }: { query: string; isFiltered: boolean }) => (
  <EmptyState
    icon="ship"
    title={query === "" ? "No route fits these filters" : `No route fits “${query}”`}
    action={<ButtonLink to="/routes">Show all routes</ButtonLink>}
  >
    {isFiltered ? "Take back a filter above, or try" : "Try"} a port by name or UN/LOCODE, a country or a carrier:{" "}
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
  <div className="min-w-0 flex-1">
    <label htmlFor="q" className="sr-only">
      Search
    </label>
    <input
      ref={inputRef}
      id="q"
      name="q"
      type="search"
      className="control"
      placeholder="Shanghai Rotterdam, CNSHA, Japan, Pelorin…"
      defaultValue={defaultValue}
      autoComplete="off"
      spellCheck={false}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? "q-error" : undefined}
    />
    {error ? (
      <p id="q-error" className="mt-1.5 font-medium text-[0.8125rem] text-danger">
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
