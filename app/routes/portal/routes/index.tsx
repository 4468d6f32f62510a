import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData, useNavigation, useSearchParams, useSubmit } from "@remix-run/react";
import { browse, countMatching, facets } from "../../../domain/catalogue/browse.server.ts";
import { routeFilter } from "../../../domain/catalogue/browse.ts";
import { cargoTypes, serviceLevelNames } from "../../../domain/catalogue/route.ts";
import { approximateWays } from "../../../domain/catalogue/route-data.server.ts";
import { Refusal } from "../../../domain/errors.ts";
import { validate } from "../../../domain/input.ts";
import { accessToRoutes } from "../../../domain/subscriptions/route-access.server.ts";
import { Button, ButtonLink } from "../../../portal/components/button.tsx";
import { Card } from "../../../portal/components/card.tsx";
import { EmptyState } from "../../../portal/components/empty-state.tsx";
import { Icon } from "../../../portal/components/icon.tsx";
import { PageHeader } from "../../../portal/components/page-header.tsx";
import { Pagination } from "../../../portal/components/pagination.tsx";
import { RoutesMap } from "../../../portal/components/route-map/routes-map.tsx";
import { RouteTable } from "../../../portal/components/route-table.tsx";
import { SelectField } from "../../../portal/components/select-field.tsx";
import { Tabs } from "../../../portal/components/tabs.tsx";
import { TextField } from "../../../portal/components/text-field.tsx";
import { formatCount, formatWord } from "../../../portal/format.ts";
import { routeRow } from "../../../portal/route-view.ts";
import { visit } from "../../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Routes · Shipping Route Data Service" }];

const pageSize = 25;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const search = Object.fromEntries([...new URL(args.request.url).searchParams].filter(([, value]) => value !== ""));
  const { filter, cursor, complaint } = read(search);
  const [page, total, choices] = await Promise.all([
    browse(ctx, filter, { limit: pageSize, cursor }).catch(
      fromTheStart(() => browse(ctx, filter, { limit: pageSize })),
    ),
    countMatching(ctx, filter),
    facets(ctx),
  ]);
  const access = caller
    ? await accessToRoutes(
        ctx,
        caller,
        page.rows.map(({ id }) => id),
      )
    : new Map();
  const ids = page.rows.map(({ id }) => id);
  const ways = search.view === "map" ? await approximateWays(ctx, ids) : null;
  return {
    ways:
      ways && ids.map((id) => ({ id, via: ways.get(id)?.map(({ lon, lat }): [number, number] => [lon, lat]) ?? [] })),
    rows: page.rows.map((route) => routeRow(route, access.get(route.id)?.hasAccess ?? false)),
    nextCursor: page.nextCursor,
    total,
    choices,
    complaint,
  };
};

/** A cursor that is none leads to the first page. */
const fromTheStart =
  <Result,>(again: () => Promise<Result>) =>
  (error: unknown): Promise<Result> => {
    if (error instanceof Refusal) return again();
    throw error;
  };

/** A filter that cannot be right shows everything, and says so. */
const read = ({ cursor, ...search }: Record<string, string>) => {
  try {
    return { filter: validate(routeFilter, search), cursor, complaint: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { filter: {}, cursor: undefined, complaint: error.fields[0]?.message ?? error.message };
  }
};

const Routes = () => {
  const { rows, ways, nextCursor, total, choices, complaint } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const submit = useSubmit();
  const searching = useNavigation().location?.pathname === "/routes";
  const value = (name: string) => search.get(name) ?? "";
  const onMap = value("view") === "map";
  const isFiltered = [...search.keys()].some((name) => !["cursor", "view"].includes(name) && value(name) !== "");
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Routes"
        description="Port to port, carrier by carrier. Everything here is free to browse; a subscription opens a route's data."
      />
      <Form
        method="get"
        role="search"
        aria-label="Routes"
        onChange={(event) => submit(event.currentTarget, { replace: true, preventScrollReset: true })}
        className="grid gap-4 rounded-xl border border-line bg-surface p-4 shadow-card sm:grid-cols-2 sm:p-5 lg:grid-cols-[2fr_1fr_1fr_1fr_1fr_auto] lg:items-end"
      >
        {onMap ? <input type="hidden" name="view" value="map" /> : null}
        <TextField
          name="q"
          label="Search"
          type="search"
          placeholder="Shanghai Rotterdam, CNSHA, Japan, Pelorin…"
          defaultValue={value("q")}
          error={complaint ?? undefined}
          autoComplete="off"
        />
        <SelectField
          name="cargo_type"
          label="Cargo"
          defaultValue={value("cargo_type")}
          options={[
            { value: "", label: "All cargo" },
            ...cargoTypes.map((type) => ({ value: type, label: formatWord(type) })),
          ]}
        />
        <SelectField
          name="region"
          label="From region"
          defaultValue={value("region")}
          options={withAll("All regions", choices.regions)}
        />
        <SelectField
          name="carrier"
          label="Carrier"
          defaultValue={value("carrier")}
          options={withAll("All carriers", choices.carriers)}
        />
        <SelectField
          name="service_level"
          label="Service"
          defaultValue={value("service_level")}
          options={[
            { value: "", label: "Any level" },
            ...serviceLevelNames.map((level) => ({ value: level, label: formatWord(level) })),
          ]}
        />
        <Button type="submit" variant="primary" icon="search">
          Search
        </Button>
      </Form>
      <p className="flex min-h-6 items-center gap-3 text-muted text-sm" role="status">
        <span>{searching ? "Searching…" : formatCount(total, "route")}</span>
        {isFiltered ? (
          <Link to="/routes" className="font-medium text-accent underline underline-offset-3">
            Clear filters
          </Link>
        ) : null}
      </p>
      <Tabs
        label="View"
        tabs={[
          { label: "List", to: viewLink(search, null), current: !onMap },
          { label: "Map", to: viewLink(search, "map"), current: onMap },
        ]}
      />
      {ways && rows.length > 0 ? (
        <RoutesMap
          title={`${formatCount(rows.length, "route")} of this page`}
          routes={rows.map(({ id, origin, destination }) => ({
            key: id,
            origin,
            destination,
            via: ways.find((way) => way.id === id)?.via ?? [],
          }))}
        />
      ) : null}
      <Card flush>
        {rows.length > 0 ? (
          <RouteTable rows={rows} />
        ) : (
          <EmptyState icon="ship" title="No route fits" action={<ButtonLink to="/routes">Show all routes</ButtonLink>}>
            Try a port by name or UN/LOCODE (CNSHA), a country, or fewer filters.
          </EmptyState>
        )}
      </Card>
      <Pagination nextCursor={nextCursor} />
      <p className="flex items-center gap-2 text-[0.8125rem] text-muted">
        <Icon name="info" className="size-4" />
        Carriers, services and prices are invented for demonstration. Not for navigation.
      </p>
    </div>
  );
};

const viewLink = (search: URLSearchParams, view: string | null) => {
  const next = new URLSearchParams(search);
  if (view) next.set("view", view);
  else next.delete("view");
  return `?${next}`;
};

const withAll = (label: string, named: { code: string; name: string }[]) => [
  { value: "", label },
  ...named.map(({ code, name }) => ({ value: code, label: name })),
];

export default Routes;
