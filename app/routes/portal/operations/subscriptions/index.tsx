import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { findSubscriptions } from "../../../../domain/operations/find-subscriptions.server.ts";
import { subscriptionFilter } from "../../../../domain/operations/subscription-filter.ts";
import { subscriptionStatuses } from "../../../../domain/subscriptions/status.ts";
import { Button, ButtonLink } from "../../../../portal/components/button.tsx";
import { Card } from "../../../../portal/components/card.tsx";
import { EmptyState } from "../../../../portal/components/empty-state.tsx";
import { errorOf } from "../../../../portal/components/field-errors.ts";
import { FormError } from "../../../../portal/components/form-error.tsx";
import { PageHeader } from "../../../../portal/components/page-header.tsx";
import { Pagination } from "../../../../portal/components/pagination.tsx";
import { SelectField } from "../../../../portal/components/select-field.tsx";
import { Table } from "../../../../portal/components/table.tsx";
import { TextField } from "../../../../portal/components/text-field.tsx";
import { formatWord } from "../../../../portal/format.ts";
import { searched } from "../../../../portal/searched.server.ts";
import { visitOfOperator } from "../../../../portal/session.server.ts";
import { accountColumn, chargeColumn, datesColumn, routeColumn, statusColumn } from "./subscription-columns.tsx";
import { subscriptionRow } from "./subscription-row.ts";

export const meta: MetaFunction = () => [{ title: "Subscriptions · Operations · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const found = await searched(args.request, subscriptionFilter, ({ filter, cursor }) =>
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
  const [search] = useSearchParams();
  const value = (name: string) => search.get(name) ?? "";
  const isFiltered = ["route", "account", "status", "order"].some((name) => value(name) !== "");
  return (
    <Form
      method="get"
      role="search"
      aria-label="Subscriptions"
      key={search.toString()}
      className="grid items-end gap-4 rounded-xl border border-line bg-surface p-4 shadow-card sm:grid-cols-2 sm:p-5 lg:grid-cols-[2fr_1fr_1fr_1fr_auto]"
    >
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
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="primary" icon="search">
          Search
        </Button>
        {isFiltered ? (
          <Link to="/operations/subscriptions" className="link text-sm">
            Clear
          </Link>
        ) : null}
      </div>
    </Form>
  );
};
