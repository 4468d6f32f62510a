import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import type { RecordKind } from "#app/domain/catalogue/record-kinds.ts";
import { listRecords, type StockRecord } from "#app/domain/stock/list-records.server.ts";
import { recordFilter } from "#app/domain/stock/record-filter.ts";
import { recordFields } from "#app/domain/stock/records.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import type { Column } from "#app/portal/components/table.tsx";
import { formatWord } from "#app/portal/format.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { loadList } from "../list-loader.server.ts";
import { ListPage } from "../list-page.tsx";
import { kindOf, kindWords, listOf } from "./kinds.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? kindWords[data.kind].many : "Catalogue"} · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  await visitOfOperator(args);
  const kind = kindOf(args.params.kind);
  const list = await loadList(
    args,
    recordFilter,
    (ctx, caller, filter, page) => listRecords(ctx, caller, { ...filter, kind }, page),
    ({ id, retiredAt, values }: StockRecord) => ({ id, values, isRetired: retiredAt !== null }),
  );
  return { kind, ...list };
};

const Records = () => {
  const { kind, ...list } = useLoaderData<typeof loader>();
  const { one, many } = kindWords[kind];
  return (
    <ListPage
      header={{
        title: many,
        breadcrumbs: [{ label: "Catalogue", to: "/operations/catalogue" }],
        actions: (
          <ButtonLink to={`${listOf(kind)}/new`} variant="primary" icon="plus">
            Add a {one}
          </ButtonLink>
        ),
      }}
      list={list}
      filters={{
        label: many,
        columns: "lg:grid-cols-[2fr_1fr_auto]",
        fields: [
          { kind: "search", name: "q", label: "Code, name or field", spellCheck: false },
          { kind: "choice", name: "state", label: "State", any: "Any state", options: states },
        ],
      }}
      caption={many}
      columns={columnsOf(kind)}
      empty={
        <EmptyState
          icon="layers"
          title={`No ${one} here`}
          action={<ButtonLink to={`${listOf(kind)}/new`}>{`Add ${one}`}</ButtonLink>}
        >
          Remove a filter, or add one.
        </EmptyState>
      }
    />
  );
};

export default Records;

const states = [
  { value: "offered", label: "On offer" },
  { value: "retired", label: "Retired" },
];

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

/** The columns that a list has room for, after code and name. */
const factsShown = 3;

const columnsOf = (kind: RecordKind): Column<Row>[] => [
  {
    key: "code",
    header: "Record",
    primary: true,
    cell: ({ id, values }) => (
      <span className="grid gap-0.5">
        <Link to={`${listOf(kind)}/${id}`} prefetch="intent" className="link break-all">
          {values.record_code}
        </Link>
        <span className="font-normal text-[0.8125rem] text-muted">{values.name}</span>
      </span>
    ),
  },
  ...recordFields[kind]
    .filter(({ name, onlyNew, refersTo }) => name !== "name" && (!onlyNew || refersTo !== undefined))
    .slice(0, factsShown)
    .map(({ name, label, options }) => ({
      key: name,
      header: label,
      cell: ({ values }: Row) => (options ? formatWord(values[name] ?? "") : (values[name] ?? "")) || "–",
    })),
  {
    key: "state",
    header: "State",
    cell: ({ isRetired }) => (isRetired ? <Badge>Retired</Badge> : <Badge tone="success">On offer</Badge>),
  },
];
