import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { createEndpoint, listEndpoints } from "#app/domain/webhooks/manage.server.ts";
import { maxEndpoints } from "#app/domain/webhooks/policy.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatInstant } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { EndpointBadge } from "./badges.tsx";
import { EndpointFields, endpointForm } from "./endpoint-form.tsx";
import { SigningSecret } from "./signing-secret.tsx";

export const meta: MetaFunction = () => [{ title: "Webhooks · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const endpoints = await listEndpoints(ctx, caller);
  return {
    endpoints: endpoints.map(({ createdAt, failingSince, id, url, description, eventTypes, disabledBecause }) => ({
      id,
      url,
      description,
      eventTypes,
      disabledBecause,
      createdAt: createdAt.toISOString(),
      failingSince: failingSince?.toISOString() ?? null,
    })),
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction<{ id: number; secret: string }>({
    create: memberForm(endpointForm, async ({ ctx, caller }, input) => {
      const { id, secret } = await createEndpoint(ctx, caller, input);
      return { id, secret };
    }),
  })(args);

const Webhooks = () => {
  const { endpoints } = useLoaderData<typeof loader>();
  const { result, problem = null } = useActionData<typeof action>() ?? {};
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="We send events to your server as they happen: data changes, subscriptions, keys and quota."
        actions={
          <ButtonLink to="/docs/webhooks" icon="book">
            Guide
          </ButtonLink>
        }
      />
      {result ? (
        <>
          <SigningSecret key={result.secret} secret={result.secret} />
          <p>
            <Link to={`/account/webhooks/${result.id}`} className="link">
              Open the endpoint
            </Link>{" "}
            to send it a test event.
          </p>
        </>
      ) : null}
      <Card title="Your endpoints" flush>
        <Table
          caption="Webhook endpoints"
          columns={columns}
          rows={endpoints}
          rowKey={(row) => row.id}
          empty={
            <EmptyState icon="anchor" title="No endpoints yet">
              Add the URL of your server below. We sign each event that we send to it.
            </EmptyState>
          }
        />
      </Card>
      <Card id="create" title="Add an endpoint">
        {endpoints.length >= maxEndpoints ? (
          <Alert tone="info" title="You have the maximum of endpoints">
            An account can have {formatCount(maxEndpoints, "endpoint")}. Delete one that you no longer use.
          </Alert>
        ) : (
          <Form method="post" className="grid gap-5" noValidate key={endpoints.length}>
            <EndpointFields problem={problem} endpoint={null} />
            <div>
              <SubmitButton name="intent" value="create" pendingLabel="Adding…">
                Add endpoint
              </SubmitButton>
            </div>
          </Form>
        )}
      </Card>
    </>
  );
};

export default Webhooks;

type Row = ReturnType<typeof useLoaderData<typeof loader>>["endpoints"][number];

const columns: Column<Row>[] = [
  {
    key: "url",
    header: "Endpoint",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to={`/account/webhooks/${row.id}`} className="link wrap-anywhere font-semibold">
          {row.url}
        </Link>
        {row.description ? <span className="font-normal text-muted">{row.description}</span> : null}
      </span>
    ),
  },
  { key: "types", header: "Event types", align: "end", cell: (row) => row.eventTypes.length },
  { key: "status", header: "Status", cell: (row) => <EndpointBadge {...row} /> },
  { key: "created", header: "Created", desktopOnly: true, cell: (row) => formatInstant(row.createdAt) },
];
