import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import {
  deleteKey,
  getKey,
  setKeyAddresses,
  setKeyExpiry,
  setKeyLimit,
  setKeyStatus,
} from "#app/domain/api-keys/manage.server.ts";
import { largestHourlyLimit, overlapLimits } from "#app/domain/api-keys/policy.ts";
import { rotateKey } from "#app/domain/api-keys/rotate.server.ts";
import { dayOf } from "#app/domain/dates.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatDay, formatInstant, formatNumber } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { addressesField } from "./addresses-field.ts";
import { exampleRoute } from "./example-route.server.ts";
import { expiryField } from "./expiry-field.ts";
import { expiryInWords, keyView, lastDayOf } from "./key-view.ts";
import { limitField } from "./limit-field.ts";
import { type CreatedKey, NewKey } from "./new-key.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.key.name ?? "API key"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller, origin } = await visitOfMember(args);
  const [key, route] = await Promise.all([
    orErrorResponse(getKey(ctx, caller, { id: idOf(args.params.key_id) })),
    exampleRoute(ctx, caller),
  ]);
  const now = ctx.clock.now();
  return {
    key: keyView(key, now),
    today: dayOf(now),
    appUrl: ctx.settings.appUrl,
    route,
    ownAddress: origin.ipAddress,
  };
};

const overlapForm = z.object({
  overlap_hours: z.coerce.number("Choose an overlap").int().min(1).max(overlapLimits.most),
});

export const action = (args: ActionFunctionArgs) => {
  const id = idOf(args.params.key_id);
  const here = `/api-keys/${id}`;
  return formAction<CreatedKey>({
    rotate: memberForm(overlapForm, async ({ ctx, caller }, { overlap_hours: overlapHours }) => {
      const { secret, user, name } = await rotateKey(ctx, caller, { id, overlapHours });
      return { secret, user, name };
    }),
    expiry: memberForm(z.object({ expires_at: expiryField }), async ({ ctx, caller }, { expires_at: expiresAt }) => {
      await setKeyExpiry(ctx, caller, { id, expiresAt });
      throw await redirectWithToast(here, {
        message: expiresAt ? "The key expires at the end of that day." : "The key does not expire.",
      });
    }),
    limit: memberForm(
      z.object({ hourly_limit: limitField }),
      async ({ ctx, caller }, { hourly_limit: hourlyLimit }) => {
        await setKeyLimit(ctx, caller, { id, hourlyLimit });
        throw await redirectWithToast(here, {
          message:
            hourlyLimit === null
              ? "Only your plan limits the key."
              : `The key is limited to ${formatCount(hourlyLimit, "request")} an hour.`,
        });
      },
    ),
    addresses: memberForm(
      z.object({ allowed_addresses: addressesField }),
      async ({ ctx, caller }, { allowed_addresses: allowedAddresses }) => {
        await setKeyAddresses(ctx, caller, { id, allowedAddresses });
        throw await redirectWithToast(here, {
          message: allowedAddresses ? "The key works only from these addresses." : "The key works from all addresses.",
        });
      },
    ),
    activate: memberForm(z.object({}), async ({ ctx, caller }) => {
      const { name } = await setKeyStatus(ctx, caller, { id, status: "active" });
      throw await redirectWithToast(here, { message: `“${name}” is active.` });
    }),
    deactivate: memberForm(z.object({}), async ({ ctx, caller }) => {
      const { name } = await setKeyStatus(ctx, caller, { id, status: "inactive" });
      throw await redirectWithToast(here, { message: `“${name}” is inactive. Its requests get a 401.` });
    }),
    delete: memberForm(z.object({}), async ({ ctx, caller }) => {
      await deleteKey(ctx, caller, { id });
      throw await redirectWithToast("/api-keys", {
        message: "The key is deleted. Its requests get a 401 from now on.",
      });
    }),
  })(args);
};

const KeyPage = () => {
  const { key, appUrl, route } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const problem = actionData?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "API keys", to: "/api-keys" }]}
        title={key.name}
        badge={<StatusBadge status={key.state} />}
        description={
          <>
            <span className="font-mono">{key.prefix}…</span>, sent with the username{" "}
            <span className="font-mono">{key.user}</span>.
          </>
        }
        actions={
          <>
            <ButtonLink to={`/usage/logs?api_key_id=${key.id}`} icon="search">
              Request log
            </ButtonLink>
            <ButtonLink to={`/usage?api_key_id=${key.id}`} icon="chart">
              Usage
            </ButtonLink>
          </>
        }
      />
      {actionData?.result ? (
        <NewKey key={actionData.result.secret} created={actionData.result} appUrl={appUrl} route={route} />
      ) : null}
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      {key.isRotated && key.expiresAt ? (
        <Alert tone="info" title={`This key works until ${formatInstant(key.expiresAt)}`}>
          You rotated this key. Switch your programs to the new key before then, because we delete this one.{" "}
          <Link to="/api-keys" className="link">
            All keys
          </Link>
        </Alert>
      ) : null}
      <Card title="Details">
        <DescriptionList
          layout="grid"
          facts={[
            { term: "Created", description: formatDay(key.createdAt) },
            { term: "Expires", description: key.expiresAt ? expiryInWords(key.expiresAt) : "Never" },
            {
              term: "Hourly limit",
              description: key.hourlyLimit === null ? "That of your plan" : formatCount(key.hourlyLimit, "request"),
            },
            { term: "Allowed addresses", description: key.allowedAddresses?.join(", ") ?? "All" },
            { term: "Last used", description: key.lastUsedAt ? formatInstant(key.lastUsedAt) : "Never" },
            { term: "Requests", description: formatNumber(key.requests) },
          ]}
        />
      </Card>
      {key.isRotated ? null : (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {key.state === "active" ? <Rotation /> : null}
          <Expiry key={key.expiresAt} />
          <Limit key={`limit ${key.hourlyLimit}`} />
          <Addresses key={`addresses ${key.allowedAddresses}`} />
        </div>
      )}
      <Access />
    </div>
  );
};

export default KeyPage;

const overlaps = [1, 24, 72, overlapLimits.most];

const hoursInWords = (hours: number) => (hours < 48 ? formatCount(hours, "hour") : formatCount(hours / 24, "day"));

const Rotation = () => {
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Card
      title="Rotate"
      description="Creates a new key with the same name, username and limits. This key still works during the overlap, so that you can switch your programs without an outage. Then we delete it."
    >
      <Form method="post" className="grid gap-4" noValidate>
        <SelectField
          name="overlap_hours"
          label="Overlap"
          defaultValue={problem?.values.overlap_hours ?? String(overlapLimits.usual)}
          options={overlaps.map((hours) => ({ value: String(hours), label: hoursInWords(hours) }))}
          error={errorOf(problem?.fields, "overlap_hours")}
        />
        <div>
          <SubmitButton name="intent" value="rotate" variant="secondary" pendingLabel="Rotating…">
            Rotate key
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

const Expiry = () => {
  const { key, today } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Card
      title="Expiry"
      description="Keys do not expire unless you set a last day. We remind you by e-mail a week before."
    >
      <Form method="post" className="grid gap-4" noValidate>
        <TextField
          name="expires_at"
          label="Last day"
          hint="The key stops working at the end of this day (UTC). Leave it empty for no expiry."
          type="date"
          min={today}
          optional
          defaultValue={problem?.values.expires_at ?? (key.expiresAt ? lastDayOf(key.expiresAt) : "")}
          error={errorOf(problem?.fields, "expires_at")}
        />
        <div>
          <SubmitButton name="intent" value="expiry" variant="secondary" pendingLabel="Saving…">
            Save expiry
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

const Limit = () => {
  const { key } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Card
      title="Hourly limit"
      description="Keeps one program from using up the requests of your plan. Requests above the limit get a 429 and do not count toward your plan."
    >
      <Form method="post" className="grid gap-4" noValidate>
        <TextField
          name="hourly_limit"
          label="Requests per hour"
          hint="Leave it empty to apply only the limit of your plan."
          type="number"
          min={1}
          max={largestHourlyLimit}
          optional
          defaultValue={problem?.values.hourly_limit ?? (key.hourlyLimit === null ? "" : String(key.hourlyLimit))}
          error={errorOf(problem?.fields, "hourly_limit")}
        />
        <div>
          <SubmitButton name="intent" value="limit" variant="secondary" pendingLabel="Saving…">
            Save limit
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

const Addresses = () => {
  const { key, ownAddress } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Card
      title="Allowed addresses"
      description="Makes the key useless elsewhere if it leaks. Requests from other addresses get a 403 and do not count toward your plan."
    >
      <Form method="post" className="grid gap-4" noValidate>
        <TextAreaField
          name="allowed_addresses"
          label="IP addresses and networks"
          hint={`One per line, like 203.0.113.7 or 2001:db8::/48. Leave it empty to allow all. You are now at ${ownAddress}.`}
          rows={4}
          optional
          defaultValue={problem?.values.allowed_addresses ?? key.allowedAddresses?.join("\n") ?? ""}
          error={errorOf(problem?.fields, "allowed_addresses")}
        />
        <div>
          <SubmitButton name="intent" value="addresses" variant="secondary" pendingLabel="Saving…">
            Save addresses
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

const Access = () => {
  const { key } = useLoaderData<typeof loader>();
  return (
    <Card
      title="Access"
      description={
        key.state === "active"
          ? "Deactivate the key to block its requests until you activate it again. Delete it if you no longer need it."
          : key.state === "expired"
            ? "The key has expired. If you activate it, it does not expire again unless you set a last day."
            : "Requests with this key get a 401 until you activate it."
      }
    >
      <div className="flex flex-wrap gap-2.5">
        <Form method="post">
          <SubmitButton
            name="intent"
            value={key.state === "active" ? "deactivate" : "activate"}
            variant="secondary"
            pendingLabel="Saving…"
          >
            {key.state === "active" ? "Deactivate key" : "Activate key"}
          </SubmitButton>
        </Form>
        <Confirmation
          id="delete-key"
          label="Delete key…"
          title={`Delete “${key.name}”?`}
          intent="delete"
          confirm="Delete key"
          pendingLabel="Deleting…"
        >
          Programs that use this key stop working at once, and you cannot undo this.
        </Confirmation>
      </div>
    </Card>
  );
};
