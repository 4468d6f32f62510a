import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findSubscriptions } from "#app/domain/operations/find-subscriptions.server.ts";
import { subscriptionFilter } from "#app/domain/operations/subscription-filter.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/status.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { formatWord } from "#app/portal/format.ts";
import { loadList } from "../list-loader.server.ts";
import { ListPage } from "../list-page.tsx";
import { accountColumn, chargeColumn, datesColumn, routeColumn, statusColumn } from "./subscription-columns.tsx";
import { subscriptionRow } from "./subscription-row.ts";

export const meta: MetaFunction = () => [{ title: "Subscriptions · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadList(args, subscriptionFilter, findSubscriptions, subscriptionRow)),
  statuses: subscriptionStatuses,
});

const Subscriptions = () => {
  const { statuses, ...list } = useLoaderData<typeof loader>();
  return (
    <ListPage
      header={{
        title: "Subscriptions",
        description: "Subscriptions of all accounts, with the next automatic charge.",
      }}
      list={list}
      filters={{
        label: "Subscriptions",
        columns: "lg:grid-cols-[2fr_1fr_1fr_1fr_auto]",
        fields: [
          { kind: "search", name: "route", label: "Route code or name" },
          { kind: "number", name: "account", label: "Account number" },
          {
            kind: "choice",
            name: "status",
            label: "Status",
            any: "Any status",
            options: statuses.map((status) => ({ value: status, label: formatWord(status) })),
          },
          {
            kind: "choice",
            name: "order",
            label: "Order",
            any: "Newest first",
            options: [{ value: "ends", label: "Soonest end first" }],
          },
        ],
      }}
      caption="Subscriptions"
      columns={[routeColumn, accountColumn, statusColumn, datesColumn, chargeColumn]}
      empty={
        <EmptyState
          icon="search"
          title="No subscription matches"
          action={<ButtonLink to="/operations/subscriptions">Show all subscriptions</ButtonLink>}
        >
          Try another status, or part of a route code or name.
        </EmptyState>
      }
    />
  );
};

export default Subscriptions;
