import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { calendarFeedOf, createCalendarFeed, revokeCalendarFeed } from "#app/domain/calendar/feed.server.ts";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CodeBlock } from "#app/portal/components/code-block.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatInstant } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Your data · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const feed = await calendarFeedOf(ctx, caller);
  return { calendarSince: feed?.createdAt.toISOString() ?? null };
};

export const action = (args: ActionFunctionArgs) =>
  formAction<{ url: string }>({
    "create-calendar": memberForm(z.object({}), ({ ctx, caller }) => createCalendarFeed(ctx, caller)),
    "revoke-calendar": memberForm(z.object({}), async ({ ctx, caller }) => {
      await revokeCalendarFeed(ctx, caller);
      throw await redirectWithToast("/account/data", { message: "The calendar address no longer works." });
    }),
  })(args);

const Data = () => (
  <>
    <PageHeader
      title="Your data"
      description="Download what we store about your account, share renewal dates, or close the account."
    />
    <Card
      title="Download"
      description="One JSON file with your profile, subscriptions, invoices, API keys, webhooks, watchlist, saved searches and activity. Secrets are left out."
      actions={
        <ButtonLink to="/account/export.json" icon="download" reloadDocument prefetch="none">
          Download my data
        </ButtonLink>
      }
    />
    <Calendar />
    <Card
      title="Close the account"
      description="Ends all subscriptions, keys and sessions at once. You cannot undo this. The next page explains what happens and asks you to confirm."
      actions={
        <ButtonLink to="/account/close" variant="caution">
          Close the account…
        </ButtonLink>
      }
    />
  </>
);

export default Data;

const Calendar = () => {
  const { calendarSince } = useLoaderData<typeof loader>();
  const created = useActionData<typeof action>()?.result ?? null;
  return (
    <Card
      title="Renewal calendar"
      description="Shows in your calendar app when each subscription renews or ends. Anyone who knows the address can read it."
      actions={
        calendarSince === null ? (
          <Form method="post">
            <Button name="intent" value="create-calendar">
              Create calendar address
            </Button>
          </Form>
        ) : (
          <>
            <Confirmation
              id="replace-calendar"
              label="Replace address"
              title="Replace the calendar's address?"
              intent="create-calendar"
              confirm="Replace address"
              keep="Keep it"
            >
              Calendars that use the current address stop updating.
            </Confirmation>
            <Confirmation
              id="revoke-calendar"
              label="Revoke"
              title="Revoke the calendar's address?"
              intent="revoke-calendar"
              confirm="Revoke address"
              keep="Keep it"
            >
              Calendars that use it stop updating.
            </Confirmation>
          </>
        )
      }
    >
      {created ? (
        <div role="status" className="grid gap-2">
          <p className="text-sm">
            Subscribe to this address in your calendar app. You can see it only once: we store a hash of it, not the
            address itself.
          </p>
          <CodeBlock title="Calendar address" code={created.url} wrap />
        </div>
      ) : calendarSince === null ? null : (
        <p className="text-muted text-sm">In use since {formatInstant(calendarSince)}.</p>
      )}
    </Card>
  );
};
