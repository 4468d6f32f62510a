import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { countRecords, type RecordCount } from "#app/domain/stock/list-records.server.ts";
import { loadReferenceData } from "#app/domain/stock/reference-data.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatNumber } from "#app/portal/format.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { kindWords, listOf } from "./kinds.ts";

export const meta: MetaFunction = () => [{ title: "Catalogue · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  return { counts: await countRecords(ctx, caller) };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    "load-reference": operatorForm(z.object({}), async ({ ctx, caller }) => {
      const { regions, ports } = await loadReferenceData(ctx, caller);
      const message =
        regions === 0
          ? "The reference data is already loaded"
          : `${formatCount(regions, "region")} and ${formatCount(ports, "port")} loaded`;
      throw await redirectWithToast("/operations/catalogue", { message });
    }),
  })(args);

const Catalogue = () => {
  const { counts } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const isEmpty = counts.every(
    ({ kind, offered, retired }) => !["region", "port"].includes(kind) || offered + retired === 0,
  );
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Catalogue"
        description="Records from regions to periods. Retired records are off sale, and their subscribers can still read them."
        actions={
          <>
            <ButtonLink to="/operations/catalogue/plan-prices">Plan prices</ButtonLink>
            <ButtonLink to="/operations/catalogue/exchange-rates">Exchange rates</ButtonLink>
          </>
        }
      />
      {problem ? <FormError message={problem.message} /> : null}
      {isEmpty ? <Empty /> : null}
      <Card flush>
        <Table caption="Catalogue" columns={columns} rows={counts} rowKey={({ kind }) => kind} />
      </Card>
    </div>
  );
};

export default Catalogue;

const Empty = () => (
  <Card flush>
    <EmptyState
      icon="globe"
      title="The catalogue is empty"
      action={
        <>
          <Form method="post">
            <SubmitButton name="intent" value="load-reference" pendingLabel="Loading…">
              Load reference data
            </SubmitButton>
          </Form>
          <ButtonLink to={`${listOf("region")}/new`}>Add a region</ButtonLink>
        </>
      }
    >
      The reference data has the regions of the world and 624 ports with positions, time zones and alternative codes.
      After that, add carriers, trade lanes, route groups, routes and periods, in this order.
    </EmptyState>
  </Card>
);

const columns: Column<RecordCount>[] = [
  {
    key: "kind",
    header: "Records",
    primary: true,
    cell: ({ kind }) => (
      <Link to={listOf(kind)} prefetch="intent" className="link">
        {kindWords[kind].many}
      </Link>
    ),
  },
  { key: "offered", header: "On offer", align: "end", cell: ({ offered }) => formatNumber(offered) },
  { key: "retired", header: "Retired", align: "end", cell: ({ retired }) => formatNumber(retired) },
];
