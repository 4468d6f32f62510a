import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { keyStatus, newKey } from "#app/domain/api-keys/api-key.ts";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";
import { allKeys, deleteKey, setKeyStatus } from "#app/domain/api-keys/manage.server.ts";
import { planLimits } from "#app/domain/plans/plans.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatInstant, formatNumber } from "#app/portal/format.ts";
import { idField } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { exampleRoute } from "./example-route.server.ts";
import { expiryField } from "./expiry-field.ts";
import { expiryInWords, type KeyView, keyView } from "./key-view.ts";
import { type CreatedKey, NewKey } from "./new-key.tsx";

export const meta: MetaFunction = () => [{ title: "API keys · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [keys, route] = await Promise.all([allKeys(ctx, caller), exampleRoute(ctx, caller)]);
  return {
    keys: keys.map((key) => keyView(key, ctx.clock.now())),
    username: caller.account.username,
    plan: caller.account.plan,
    maximum: planLimits[caller.account.plan].maxApiKeys,
    appUrl: ctx.settings.appUrl,
    route,
  };
};

const keyForm = z.object({ id: idField });

export const action = (args: ActionFunctionArgs) =>
  formAction<CreatedKey | null>({
    create: memberForm(
      newKey.extend({ expires_at: expiryField }),
      async ({ ctx, caller }, { expires_at, ...input }) => {
        const { secret, user, name } = await issueKey(ctx, caller, { ...input, expiresAt: expires_at });
        return { secret, user, name };
      },
    ),
    status: memberForm(keyForm.extend({ status: keyStatus }), async ({ ctx, caller }, input) => {
      const { name } = await setKeyStatus(ctx, caller, input);
      throw await redirectWithToast("/api-keys", {
        message: input.status === "active" ? `“${name}” is active.` : `“${name}” is inactive. Its requests get a 401.`,
      });
    }),
    delete: memberForm(keyForm, async ({ ctx, caller }, input) => {
      await deleteKey(ctx, caller, input);
      throw await redirectWithToast("/api-keys", {
        message: "The key is deleted. Its requests get a 401 from now on.",
      });
    }),
  })(args);

const ApiKeys = () => {
  const { keys, plan, maximum, username, appUrl, route } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const problem = actionData?.problem;
  // Filled in again after `/confirm-identity`.
  const [entered] = useSearchParams();
  const counted = keys.filter(({ isRotated }) => !isRotated).length;
  const isFull = maximum !== null && counted >= maximum;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="API keys"
        description={`Your programs read the data of your routes with a key. ${
          maximum === null
            ? "Your plan has no limit on keys."
            : `Your ${plan} plan allows ${formatCount(maximum, "key")}, inactive ones included.`
        }`}
        actions={
          keys.length > 0 ? (
            <>
              <ButtonLink to="/api-keys.csv" icon="download" reloadDocument prefetch="none">
                Download CSV
              </ButtonLink>
              {isFull ? null : (
                <ButtonLink to="#create" icon="plus">
                  New key
                </ButtonLink>
              )}
            </>
          ) : undefined
        }
      />
      {actionData?.result ? (
        <NewKey key={actionData.result.secret} created={actionData.result} appUrl={appUrl} route={route} />
      ) : null}
      {problem && problem.intent !== "create" ? <FormError message={problem.message} /> : null}
      <Card title="Your keys" flush>
        <Table
          caption="API keys"
          columns={columns}
          rows={keys}
          rowKey={(row) => row.id}
          empty={
            <EmptyState icon="key" title="No keys yet">
              Create one below for each program that reads your routes. A key works at once and until you deactivate or
              delete it.
            </EmptyState>
          }
        />
      </Card>
      <Card id="create" title="Create a key">
        {isFull ? (
          <Alert tone="info" title="All keys of your plan are in use">
            Delete a key you no longer need, or{" "}
            <Link to="/plans" className="link">
              compare plans
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
              defaultValue={
                problem?.values.api_key_name ??
                entered.get("api_key_name") ??
                (keys.length === 0 ? "First key" : undefined)
              }
              error={errorOf(problem?.fields, "api_key_name")}
            />
            <TextField
              name="user"
              label="Username"
              hint="Sent as X-Username with every request."
              required
              defaultValue={problem?.values.user ?? entered.get("user") ?? username}
              error={errorOf(problem?.fields, "user")}
            />
            <TextField
              name="expires_at"
              label="Last day"
              hint="The key stops working at the end of this day (UTC). Leave it empty for a key that does not expire."
              type="date"
              optional
              defaultValue={problem?.values.expires_at ?? entered.get("expires_at") ?? undefined}
              error={errorOf(problem?.fields, "expires_at")}
            />
            <div className="sm:col-span-2">
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

const columns: Column<KeyView>[] = [
  {
    key: "name",
    header: "Name",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to={`/api-keys/${row.id}`} prefetch="intent" className="link font-semibold">
          {row.name}
        </Link>
        <span className="font-mono font-normal text-muted text-xs">{row.prefix}…</span>
      </span>
    ),
  },
  { key: "user", header: "Username", cell: (row) => row.user },
  { key: "status", header: "Status", cell: (row) => <StatusBadge status={row.state} /> },
  {
    key: "expires",
    header: "Expires",
    cell: (row) => (
      <>
        {row.expiresAt ? expiryInWords(row.expiresAt) : <span className="text-muted">Never</span>}
        {row.isRotated ? <Small>Rotated, deleted after that</Small> : null}
      </>
    ),
  },
  {
    key: "used",
    header: "Last used",
    cell: (row) => (row.lastUsedAt ? formatInstant(row.lastUsedAt) : <span className="text-muted">Never</span>),
  },
  { key: "requests", header: "Requests", align: "end", cell: (row) => formatNumber(row.requests) },
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
const SwitchKey = ({ row }: { row: KeyView }) => {
  const { formData } = useNavigation();
  const label = row.state === "active" ? "Deactivate" : "Activate";
  const pending = formData?.get("intent") === "status" && formData.get("id") === String(row.id);
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="status" value={row.state === "active" ? "inactive" : "active"} />
      <Button size="small" name="intent" value="status" aria-label={`${label} ${row.name}`} pending={pending}>
        {label}
      </Button>
    </Form>
  );
};

const DeleteKey = ({ row }: { row: KeyView }) => (
  <Confirmation
    id={`delete-${row.id}`}
    label="Delete"
    name={`Delete ${row.name}`}
    size="small"
    title={`Delete “${row.name}”?`}
    intent="delete"
    fields={{ id: row.id }}
    confirm="Delete key"
    pendingLabel="Deleting…"
  >
    Programs that use this key stop working at once, and you cannot undo this. To block them for a while, deactivate the
    key instead.
  </Confirmation>
);
