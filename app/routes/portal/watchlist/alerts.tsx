import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listAlerts, markAlertsRead } from "#app/domain/alerts/alerts.server.ts";
import { alertKinds } from "#app/domain/alerts/enums.ts";
import { alertTitles } from "#app/domain/alerts/wording.ts";
import { alertView } from "#app/portal/alert-view.ts";
import { AlertList } from "#app/portal/components/alert-list.tsx";
import { Button } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { orFirstPage } from "#app/portal/first-page.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { noticesOfPage } from "#app/portal/notices.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Alerts · Shipping Route Data Service" }];

const pageSize = 50;

const filter = z.object({
  unread: z.literal("yes").optional().catch(undefined),
  kind: z.enum(alertKinds).optional().catch(undefined),
});

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const params = Object.fromEntries(new URL(args.request.url).searchParams);
  const { unread, kind } = filter.parse(params);
  const wanted = { unread: unread === "yes", kind };
  const [page, { unreadAlerts }] = await Promise.all([
    orFirstPage((request) => listAlerts(ctx, caller, { ...wanted, ...request }), {
      limit: pageSize,
      cursor: params.cursor || undefined,
    }),
    noticesOfPage(ctx, caller),
  ]);
  return {
    alerts: page.rows.map(alertView),
    nextCursor: page.nextCursor,
    unreadCount: unreadAlerts,
    ...wanted,
    kind: kind ?? "",
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    read: memberForm(z.object({ up_to: z.coerce.number().int().min(1) }), async ({ ctx, caller }, { up_to }) => {
      await markAlertsRead(ctx, caller, { upTo: up_to });
      throw await redirectWithToast("/watchlist/alerts", { message: "All alerts marked as read." });
    }),
  })(args);

const Alerts = () => {
  const { alerts, nextCursor, unreadCount, unread, kind } = useLoaderData<typeof loader>();
  const [newest] = alerts;
  const to = (value: string) =>
    `?${new URLSearchParams({ ...(value ? { unread: value } : {}), ...(kind ? { kind } : {}) })}`;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Watchlist", to: "/watchlist" }]}
        title="Alerts"
        description="Changes on the routes and port pairs you watch."
        actions={
          unreadCount > 0 && newest ? (
            <Form method="post">
              <input type="hidden" name="up_to" value={newest.id} />
              <SubmitButton variant="secondary" icon="check" name="intent" value="read" pendingLabel="Marking…">
                Mark all as read
              </SubmitButton>
            </Form>
          ) : undefined
        }
      />
      <Tabs
        label="Alerts"
        tabs={[
          { label: "All", to: to(""), current: !unread },
          { label: "New", to: to("yes"), current: unread, count: unreadCount },
        ]}
      />
      <Form method="get" className="flex flex-wrap items-end gap-3">
        {unread ? <input type="hidden" name="unread" value="yes" /> : null}
        <div className="min-w-56">
          <SelectField
            name="kind"
            label="Type"
            defaultValue={kind}
            options={[
              { value: "", label: "All types" },
              ...alertKinds.map((value) => ({ value, label: alertTitles[value] })),
            ]}
          />
        </div>
        <Button>Show</Button>
      </Form>
      <Card flush>
        {alerts.length > 0 ? (
          <AlertList alerts={alerts} />
        ) : (
          <EmptyState icon="check-circle" title="No alerts">
            You get an alert when a route you watch passes one of your thresholds.
          </EmptyState>
        )}
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Alerts;
