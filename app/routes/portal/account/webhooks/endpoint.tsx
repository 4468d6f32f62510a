import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { instantText } from "#app/api/contracts/shapes.ts";
import { listDeliveries, replayFailed, sendTestEvent } from "#app/domain/webhooks/deliveries.server.ts";
import { deliveryStatus, endpointStatus, eventType } from "#app/domain/webhooks/endpoint.ts";
import { deliveryStatuses, webhookEventTypes } from "#app/domain/webhooks/enums.ts";
import {
  changeEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateSecret,
  setEndpointStatus,
} from "#app/domain/webhooks/manage.server.ts";
import { retentionDays, rotationHours } from "#app/domain/webhooks/policy.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatDuration, formatInstant, formatSecond } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { DeliveryBadge, EndpointBadge } from "./badges.tsx";
import { EndpointFields, endpointForm } from "./endpoint-form.tsx";
import { SigningSecret } from "./signing-secret.tsx";

export const meta: MetaFunction = () => [{ title: "Webhook endpoint · Shipping Route Data Service" }];

const pageSize = 25;

/** Filters that the page does not offer are ignored. */
const filterSchema = z.object({
  status: deliveryStatus.optional().catch(undefined),
  event_type: eventType.optional().catch(undefined),
});

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.endpoint_id);
  const { cursor, ...search } = nonEmptyParams(new URL(args.request.url).searchParams);
  const filter = filterSchema.parse(search);
  const endpoint = await orErrorResponse(getEndpoint(ctx, caller, { id }));
  const { rows, nextCursor } = await listDeliveries(ctx, caller, id, filter, { limit: pageSize, cursor });
  const now = ctx.clock.now();
  return {
    endpoint: {
      id,
      url: endpoint.url,
      description: endpoint.description,
      eventTypes: endpoint.eventTypes,
      disabledBecause: endpoint.disabledBecause,
      disabledAt: endpoint.disabledAt?.toISOString() ?? null,
      failingSince: endpoint.failingSince?.toISOString() ?? null,
      // Null once the old secret no longer signs.
      previousSecretUntil:
        endpoint.previousSecretUntil && endpoint.previousSecretUntil > now
          ? endpoint.previousSecretUntil.toISOString()
          : null,
    },
    deliveries: rows.map(({ id, type, status, createdAt, nextAttemptAt, lastAttempt }) => ({
      id,
      type,
      status,
      createdAt: createdAt.toISOString(),
      nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
      responseStatus: lastAttempt?.responseStatus ?? null,
      error: lastAttempt?.error ?? null,
      durationMs: lastAttempt?.durationMs ?? null,
    })),
    nextCursor,
    threeDaysAgo: new Date(now.getTime() - 3 * 86_400_000).toISOString().slice(0, 10),
  };
};

const done = (id: number, message: string) => redirectWithToast(`/account/webhooks/${id}`, { message });

export const action = (args: ActionFunctionArgs) => {
  const id = idOf(args.params.endpoint_id);
  return formAction<{ secret: string }>({
    test: memberForm(z.object({}), async ({ ctx, caller }) => {
      const delivery = await sendTestEvent(ctx, caller, { endpointId: id });
      throw await redirectWithToast(`/account/webhooks/${id}/deliveries/${delivery.id}`, {
        message: "We are sending the test event.",
      });
    }),
    change: memberForm(endpointForm, async ({ ctx, caller }, input) => {
      await changeEndpoint(ctx, caller, { id, ...input });
      throw await done(id, "The endpoint is saved.");
    }),
    status: memberForm(z.object({ status: endpointStatus }), async ({ ctx, caller }, { status }) => {
      await setEndpointStatus(ctx, caller, { id, status });
      throw await done(id, status === "enabled" ? "The endpoint is enabled." : "The endpoint is disabled.");
    }),
    rotate: memberForm(z.object({}), async ({ ctx, caller }) => {
      const { secret } = await rotateSecret(ctx, caller, { id });
      return { secret };
    }),
    replay: memberForm(z.object({ since: instantText }), async ({ ctx, caller }, { since }) => {
      const replayed = await replayFailed(ctx, caller, { endpointId: id, since });
      throw await done(
        id,
        replayed === 0
          ? "No deliveries have failed since then."
          : `We are sending ${formatCount(replayed, "delivery", "deliveries")} again.`,
      );
    }),
    delete: memberForm(z.object({}), async ({ ctx, caller }) => {
      await deleteEndpoint(ctx, caller, { id });
      throw await redirectWithToast("/account/webhooks", { message: "The endpoint is deleted." });
    }),
  })(args);
};

const Endpoint = () => {
  const { endpoint, deliveries, nextCursor } = useLoaderData<typeof loader>();
  const { result, problem = null } = useActionData<typeof action>() ?? {};
  const isElsewhere = problem !== null && !["change", "replay"].includes(problem.intent);
  const isEnabled = endpoint.disabledAt === null;
  return (
    <>
      <PageHeader
        breadcrumbs={[{ label: "Webhooks", to: "/account/webhooks" }]}
        title={endpoint.description || "Webhook endpoint"}
        badge={<EndpointBadge {...endpoint} />}
        description={<span className="wrap-anywhere font-mono text-sm">{endpoint.url}</span>}
        actions={
          isEnabled ? (
            <Form method="post">
              <SubmitButton name="intent" value="test" pendingLabel="Sending…">
                Send test event
              </SubmitButton>
            </Form>
          ) : undefined
        }
      />
      {isElsewhere ? <FormError message={problem.message} /> : null}
      {result ? <SigningSecret key={result.secret} secret={result.secret} /> : null}
      <State />
      <Card title="Deliveries" description={`Newest first. Kept for ${formatCount(retentionDays, "day")}.`} flush>
        <Filters />
        <Table
          caption="Deliveries"
          columns={columns(endpoint.id)}
          rows={deliveries}
          rowKey={(row) => row.id}
          empty={
            <EmptyState icon="anchor" title="No deliveries">
              Events of the types that you chose appear here. Send a test event to try the endpoint.
            </EmptyState>
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
      <ReplayFailed />
      <Card title="Settings">
        <Form method="post" className="grid gap-5" noValidate>
          <EndpointFields problem={problem?.intent === "change" ? problem : null} endpoint={endpoint} />
          <div>
            <SubmitButton name="intent" value="change" pendingLabel="Saving…">
              Save
            </SubmitButton>
          </div>
        </Form>
      </Card>
      <Card
        title="Signing secret"
        description={`A new secret replaces the current one. We sign with both for ${rotationHours} hours, so that you can switch without losing events.`}
      >
        <div className="flex flex-wrap items-center gap-3">
          <Confirmation
            id="rotate"
            label="Rotate secret…"
            title="Rotate the signing secret?"
            intent="rotate"
            confirm="Rotate secret"
            keep="Cancel"
          >
            We show the new secret once. The current one still signs for {rotationHours} hours.
          </Confirmation>
          {endpoint.previousSecretUntil ? (
            <span className="text-muted text-sm">
              The previous secret works until {formatInstant(endpoint.previousSecretUntil)}.
            </span>
          ) : null}
        </div>
      </Card>
      <Card title="Disable or delete">
        <div className="flex flex-wrap gap-3">
          <Form method="post" preventScrollReset>
            <input type="hidden" name="status" value={isEnabled ? "disabled" : "enabled"} />
            <Button name="intent" value="status">
              {isEnabled ? "Disable" : "Enable"}
            </Button>
          </Form>
          <Confirmation
            id="delete"
            label="Delete"
            title="Delete this endpoint?"
            intent="delete"
            confirm="Delete endpoint"
            pendingLabel="Deleting…"
          >
            This also deletes its delivery log. To stop deliveries for a while, disable the endpoint instead.
          </Confirmation>
        </div>
      </Card>
    </>
  );
};

export default Endpoint;

const State = () => {
  const { endpoint } = useLoaderData<typeof loader>();
  if (endpoint.disabledBecause) {
    return (
      <Alert
        tone={endpoint.disabledBecause === "holder" ? "info" : "warning"}
        title="We send no events to this endpoint"
      >
        {reasons[endpoint.disabledBecause]} Enable it when it works again, then replay the failed deliveries.
      </Alert>
    );
  }
  return endpoint.failingSince ? (
    <Alert tone="warning" title={`Deliveries have failed since ${formatInstant(endpoint.failingSince)}`}>
      We retry each event for three days. If all retries fail, we disable the endpoint.
    </Alert>
  ) : null;
};

const reasons = {
  holder: "You disabled the endpoint.",
  gone: "The endpoint responded with 410 Gone, so we disabled it.",
  failing: "Every delivery failed for three days, so we disabled the endpoint.",
};

const anyOption = (label: string) => ({ value: "", label });

const Filters = () => {
  const [search] = useSearchParams();
  const isFiltered = search.has("status") || search.has("event_type");
  const { endpoint } = useLoaderData<typeof loader>();
  return (
    <Form
      method="get"
      role="search"
      aria-label="Deliveries"
      className="grid items-end gap-4 border-line border-b p-5 sm:grid-cols-[1fr_1fr_auto]"
      key={search.toString()}
    >
      <SelectField
        label="Status"
        name="status"
        defaultValue={search.get("status") ?? ""}
        options={[
          anyOption("Any status"),
          ...deliveryStatuses.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) })),
        ]}
      />
      <SelectField
        label="Event type"
        name="event_type"
        defaultValue={search.get("event_type") ?? ""}
        options={[anyOption("Any type"), ...webhookEventTypes.map((value) => ({ value, label: value }))]}
      />
      <span className="flex flex-wrap items-center gap-3">
        <Button type="submit" icon="filter">
          Apply
        </Button>
        {isFiltered ? (
          <Link to={`/account/webhooks/${endpoint.id}`} className="link text-sm">
            Clear
          </Link>
        ) : null}
      </span>
    </Form>
  );
};

const ReplayFailed = () => {
  const { endpoint, threeDaysAgo } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const own = problem?.intent === "replay" ? problem : null;
  if (endpoint.disabledAt !== null) return null;
  return (
    <Card title="Replay failed deliveries" description="We send each one again with the same webhook-id and payload.">
      <Form method="post" className="flex flex-wrap items-end gap-4" noValidate>
        {own ? <FormError message={own.message} /> : null}
        <TextField
          name="since"
          label="Events since (UTC)"
          type="date"
          defaultValue={own?.values.since ?? threeDaysAgo}
          error={errorOf(own?.fields, "since")}
        />
        <SubmitButton name="intent" value="replay" variant="secondary" pendingLabel="Replaying…">
          Replay all failed
        </SubmitButton>
      </Form>
    </Card>
  );
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["deliveries"][number];

const columns = (endpointId: number): Column<Row>[] => [
  {
    key: "event",
    header: "Event",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to={`/account/webhooks/${endpointId}/deliveries/${row.id}`} className="link font-mono text-[0.8125rem]">
          {row.type}
        </Link>
        <time dateTime={row.createdAt} className="font-normal text-muted text-xs">
          {formatSecond(row.createdAt)}
        </time>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    cell: (row) => (
      <>
        <DeliveryBadge status={row.status} />
        {row.nextAttemptAt && row.durationMs !== null ? <Small>next {formatSecond(row.nextAttemptAt)}</Small> : null}
      </>
    ),
  },
  {
    key: "response",
    header: "Last response",
    cell: (row) => row.responseStatus ?? row.error ?? <span className="text-muted">None yet</span>,
  },
  {
    key: "duration",
    header: "Duration",
    align: "end",
    desktopOnly: true,
    cell: (row) => (row.durationMs === null ? null : formatDuration(row.durationMs)),
  },
  {
    key: "actions",
    header: "Details",
    quietHeader: true,
    align: "end",
    desktopOnly: true,
    cell: (row) => (
      <ButtonLink size="small" to={`/account/webhooks/${endpointId}/deliveries/${row.id}`}>
        Details
      </ButtonLink>
    ),
  },
];
