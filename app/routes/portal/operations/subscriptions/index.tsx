import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findSubscriptions } from "#app/domain/operations/find-subscriptions.server.ts";
import { subscriptionFilter } from "#app/domain/operations/subscription-filter.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/status.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatWord } from "#app/portal/format.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { ListFilters } from "../list-filters.tsx";
import { accountColumn, chargeColumn, datesColumn, routeColumn, statusColumn } from "./subscription-columns.tsx";
import { subscriptionRow } from "./subscription-row.ts";

export const meta: MetaFunction = () => [{ title: "Subscriptions · Operations · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const found = await searchByParams(args.request, subscriptionFilter, ({ filter, cursor }) =>
    findSubscriptions(ctx, caller, filter, { limit: pageSize, cursor }),
  );
  return { ...found, rows: found.rows.map(subscriptionRow), statuses: subscriptionStatuses };
};

const Subscriptions = () => {
  const { rows, nextCursor, problem } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Subscriptions"
        description="Of all accounts, with what auto-renewal will charge next, at today's prices."
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Filters />
      <Card flush>
        <Table
          caption="Subscriptions"
          columns={[routeColumn, accountColumn, statusColumn, datesColumn, chargeColumn]}
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              icon="search"
              title="No subscription fits"
              action={<ButtonLink to="/operations/subscriptions">Show all subscriptions</ButtonLink>}
            >
              Try another status, or a part of the route's code or name.
            </EmptyState>
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Subscriptions;

const Filters = () => {
  const { statuses, problem } = useLoaderData<typeof loader>();
  return (
    <ListFilters
      label="Subscriptions"
      names={["route", "account", "status", "order"]}
      columns="lg:grid-cols-[2fr_1fr_1fr_1fr_auto]"
      act="search"
    >
      {(value) => (
        <>
          <TextField
            name="route"
            label="Route's code or name"
            type="search"
            defaultValue={value("route")}
            error={errorOf(problem?.fields, "route")}
            autoComplete="off"
          />
          <TextField
            name="account"
            label="Account number"
            inputMode="numeric"
            defaultValue={value("account")}
            error={errorOf(problem?.fields, "account")}
            autoComplete="off"
          />
          <SelectField
            name="status"
            label="Status"
            defaultValue={value("status")}
            options={[
              { value: "", label: "Any status" },
              ...statuses.map((status) => ({ value: status, label: formatWord(status) })),
            ]}
          />
          <SelectField
            name="order"
            label="Order"
            defaultValue={value("order")}
            options={[
              { value: "", label: "Newest first" },
              { value: "ends", label: "Soonest end first" },
            ]}
          />
        </>
      )}
    </ListFilters>
  );
};
