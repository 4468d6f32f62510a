import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { z } from "zod";
import { keyStatus, newKey } from "../../domain/api-keys/api-key.ts";
import { issueKey } from "../../domain/api-keys/issue.server.ts";
import { allKeys, deleteKey, setKeyStatus } from "../../domain/api-keys/manage.server.ts";
import { planLimits } from "../../domain/plans/plans.ts";
import { listSubscriptions } from "../../domain/subscriptions/list.server.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { Button, ButtonLink } from "../../portal/components/button.tsx";
import { Card } from "../../portal/components/card.tsx";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import { Confirmation } from "../../portal/components/confirmation.tsx";
import { EmptyState } from "../../portal/components/empty-state.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { StatusBadge } from "../../portal/components/status-badge.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { type Column, Table } from "../../portal/components/table.tsx";
import { TextField } from "../../portal/components/text-field.tsx";
import { formAction, memberForm } from "../../portal/form-action.server.ts";
import { formatCount, formatInstant, formatNumber } from "../../portal/format.ts";
import { idField } from "../../portal/params.ts";
import { visitOfMember } from "../../portal/session.server.ts";
import { redirectWithToast } from "../../portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "API keys · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [keys, subscriptions] = await Promise.all([allKeys(ctx, caller), listSubscriptions(ctx, caller)]);
  return {
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      user: key.user,
      prefix: key.displayPrefix,
      status: key.status,
      createdAt: key.createdAt.toISOString(),
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      requests: key.requests,
    })),
    username: caller.account.username,
    plan: caller.account.plan,
    maximum: planLimits[caller.account.plan].maxApiKeys,
    appUrl: ctx.settings.appUrl,
    routeId: subscriptions.find(({ status }) => status !== "expired")?.routeId ?? null,
  };
};

const keyForm = z.object({ id: idField });

export const action = (args: ActionFunctionArgs) =>
  formAction<{ secret: string; user: string; name: string } | null>({
    create: memberForm(newKey, async ({ ctx, caller }, input) => {
      const { secret, user, name } = await issueKey(ctx, caller, input);
      return { secret, user, name };
    }),
    status: memberForm(keyForm.extend({ status: keyStatus }), async ({ ctx, caller }, input) => {
      const { name } = await setKeyStatus(ctx, caller, input);
      throw await redirectWithToast("/api-keys", {
        message:
          input.status === "active" ? `“${name}” is active again.` : `“${name}” is inactive: its requests are refused.`,
      });
    }),
    delete: memberForm(keyForm, async ({ ctx, caller }, input) => {
      await deleteKey(ctx, caller, input);
      throw await redirectWithToast("/api-keys", {
        message: "The key is deleted. Its requests are refused from now on.",
      });
    }),
  })(args);

const ApiKeys = () => {
  const { keys, plan, maximum, username } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const problem = actionData?.problem;
  const isFull = maximum !== null && keys.length >= maximum;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="API keys"
        description={`For programs that read your routes' data. ${
          maximum === null
            ? "Your plan has no limit."
            : `Your ${plan} plan allows ${formatCount(maximum, "key")}, inactive ones included.`
        }`}
        actions={
          keys.length > 0 && !isFull ? (
            <ButtonLink to="#create" icon="plus">
              New key
            </ButtonLink>
          ) : undefined
        }
      />
      {actionData?.result ? <NewKey key={actionData.result.secret} created={actionData.result} /> : null}
      {problem && problem.intent !== "create" ? <FormError message={problem.message} /> : null}
      <Card title="Your keys" flush>
        <Table
          caption="API keys"
          columns={columns}
          rows={keys}
          rowKey={(row) => row.id}
          empty={
            <EmptyState icon="key" title="No keys yet">
              Create one below for each program that reads your routes. It works at once, and until you deactivate or
              delete it.
            </EmptyState>
          }
        />
      </Card>
      <Card id="create" title="Create a key">
        {isFull ? (
          <Alert tone="info" title="All keys of your plan are in use">
            Delete a key you no longer need, or{" "}
            <Link to="/plan" className="link">
              ask for a larger plan
            </Link>
            .
          </Alert>
        ) : (
          <Form method="post" className="grid items-start gap-5 sm:grid-cols-2" noValidate key={keys.length}>
            {problem?.intent === "create" ? (
              <div className="sm:col-span-2">
                <FormError message={problem.message} fields={problem.fields} />
              </div>
            ) : null}
            <TextField
              name="api_key_name"
              label="Name"
              hint="Where the key is used."
              placeholder="Rate sync, production"
              required
              defaultValue={problem?.values.api_key_name}
              error={errorOf(problem?.fields, "api_key_name")}
            />
            <TextField
              name="user"
              label="Username"
              hint="Sent as X-Username with every request."
              required
              defaultValue={problem?.values.user ?? username}
              error={errorOf(problem?.fields, "user")}
            />
            <div>
              <SubmitButton name="intent" value="create" pendingLabel="Creating…">
                Create key
              </SubmitButton>
            </div>
          </Form>
        )}
      </Card>
    </div>
  );
};

export default ApiKeys;

const NewKey = ({ created }: { created: { secret: string; user: string; name: string } }) => {
  const { appUrl, routeId } = useLoaderData<typeof loader>();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="New key"
      className="grid gap-4 rounded-xl border border-success-line bg-success-soft p-5 focus:outline-none"
      role="status"
    >
      <div>
        <h2 className="font-semibold text-ink">{created.name}: store this key now</h2>
        <p className="text-sm">It is shown this once. We keep only a fingerprint of it.</p>
      </div>
      <CodeBlock title="API key" code={created.secret} wrap />
      <CodeBlock
        title={routeId === null ? "curl (with the id of a route you subscribe to)" : "curl"}
        code={`curl '${appUrl}/api/api-routes-data?id=${routeId ?? 1}' \\\n  -H 'X-API-Key: ${created.secret}' \\\n  -H 'X-Username: ${created.user}'`}
      />
    </section>
  );
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["keys"][number];

const columns: Column<Row>[] = [
  {
    key: "name",
    header: "Name",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <span className="font-semibold">{row.name}</span>
        <span className="font-mono font-normal text-muted text-xs">{row.prefix}…</span>
      </span>
    ),
  },
  { key: "user", header: "Username", cell: (row) => row.user },
  { key: "status", header: "Status", cell: (row) => <StatusBadge status={row.status} /> },
  {
    key: "used",
    header: "Last used",
    cell: (row) => (row.lastUsedAt ? formatInstant(row.lastUsedAt) : <span className="text-muted">Never</span>),
  },
  { key: "requests", header: "Requests, in all", align: "end", cell: (row) => formatNumber(row.requests) },
  {
    key: "actions",
    header: "Actions",
    quietHeader: true,
    align: "end",
    cell: (row) => (
      <span className="flex justify-end gap-2">
        <SwitchKey row={row} />
        <DeleteKey row={row} />
      </span>
    ),
  },
];

/** No optimistic update: a key shown as inactive must really be inactive. */
const SwitchKey = ({ row }: { row: Row }) => {
  const { formData } = useNavigation();
  const label = row.status === "active" ? "Deactivate" : "Activate";
  const pending = formData?.get("intent") === "status" && formData.get("id") === String(row.id);
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="status" value={row.status === "active" ? "inactive" : "active"} />
      <Button size="small" name="intent" value="status" aria-label={`${label} ${row.name}`} pending={pending}>
        {label}
      </Button>
    </Form>
  );
};

const DeleteKey = ({ row }: { row: Row }) => (
  <Confirmation
    id={`delete-${row.id}`}
    label="Delete"
    name={`Delete ${row.name}`}
    size="small"
    title={`Delete “${row.name}”?`}
    intent="delete"
    fields={{ id: row.id }}
    confirm="Delete for good"
    pendingLabel="Deleting…"
  >
    Programs that use this key are locked out at once, and it cannot be brought back. To lock them out for a while,
    deactivate it instead.
  </Confirmation>
);
