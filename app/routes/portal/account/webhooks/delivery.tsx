import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { z } from "zod";
import { getDelivery, replayDelivery } from "#app/domain/webhooks/deliveries.server.ts";
import { Card } from "#app/portal/components/card.tsx";
import { CodeBlock } from "#app/portal/components/code-block.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatDuration, formatSecond } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { DeliveryBadge } from "./badges.tsx";

export const meta: MetaFunction = () => [{ title: "Webhook delivery · Shipping Route Data Service" }];

const idsOf = ({ endpoint_id, delivery_id }: LoaderFunctionArgs["params"]) => ({
  endpointId: idOf(endpoint_id),
  id: idOf(delivery_id),
});

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const ids = idsOf(args.params);
  const delivery = await orErrorResponse(getDelivery(ctx, caller, ids));
  return {
    ...ids,
    type: delivery.type,
    status: delivery.status,
    messageId: delivery.messageId,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    payload: JSON.stringify(JSON.parse(delivery.payload), null, 2),
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, attemptedAt: attempt.attemptedAt.toISOString() })),
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    replay: memberForm(z.object({}), async ({ ctx, caller, params }) => {
      const ids = idsOf(params);
      await replayDelivery(ctx, caller, ids);
      throw await redirectWithToast(`/account/webhooks/${ids.endpointId}/deliveries/${ids.id}`, {
        message: "We are sending the delivery again.",
      });
    }),
  })(args);

const refreshMs = 2_000;

const Delivery = () => {
  const delivery = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const { revalidate } = useRevalidator();
  const isPending = delivery.status === "pending";
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(revalidate, refreshMs);
    return () => clearInterval(timer);
  }, [isPending, revalidate]);
  return (
    <>
      <PageHeader
        breadcrumbs={[
          { label: "Webhooks", to: "/account/webhooks" },
          { label: "Endpoint", to: `/account/webhooks/${delivery.endpointId}` },
        ]}
        title={delivery.type}
        badge={<DeliveryBadge status={delivery.status} />}
        actions={
          <Form method="post">
            <SubmitButton name="intent" value="replay" variant="secondary" pendingLabel="Replaying…">
              Replay
            </SubmitButton>
          </Form>
        }
      />
      {problem ? <FormError message={problem.message} /> : null}
      <Card>
        <DescriptionList
          facts={[
            { term: "webhook-id", description: <span className="wrap-anywhere font-mono">{delivery.messageId}</span> },
            { term: "Event (UTC)", description: formatSecond(delivery.createdAt) },
            ...(delivery.nextAttemptAt
              ? [{ term: "Next attempt (UTC)", description: formatSecond(delivery.nextAttemptAt) }]
              : []),
          ]}
        />
      </Card>
      <Card title="Attempts" flush>
        <Table
          caption="Attempts"
          columns={columns}
          rows={delivery.attempts}
          rowKey={(row) => row.attemptedAt}
          empty={
            <EmptyState icon="clock" title="No attempts yet">
              We make the first attempt within seconds.
            </EmptyState>
          }
        />
      </Card>
      <CodeBlock title="Payload" code={delivery.payload} />
    </>
  );
};

export default Delivery;

type Row = ReturnType<typeof useLoaderData<typeof loader>>["attempts"][number];

const columns: Column<Row>[] = [
  { key: "time", header: "Time (UTC)", primary: true, cell: (row) => formatSecond(row.attemptedAt) },
  { key: "status", header: "Response", cell: (row) => row.responseStatus ?? row.error },
  { key: "duration", header: "Duration", align: "end", cell: (row) => formatDuration(row.durationMs) },
  {
    key: "excerpt",
    header: "Body",
    cell: (row) =>
      row.responseExcerpt ? (
        <code className="wrap-anywhere line-clamp-3 font-mono text-xs">{row.responseExcerpt}</code>
      ) : (
        <span className="text-muted">Empty</span>
      ),
  },
];
