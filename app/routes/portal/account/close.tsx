import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { accountClosure } from "#app/domain/accounts/credentials.ts";
import { closeAccount, closureSummary } from "#app/domain/closure/close-account.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { SecondProofField } from "#app/portal/components/one-time-code-field.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PasswordField } from "#app/portal/components/password-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount } from "#app/portal/format.ts";
import { withRetryHint } from "#app/portal/retry-hint.server.ts";
import { signedOut, visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Close account · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  return { username: caller.account.username, ends: await closureSummary(ctx, caller) };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    close: memberForm(accountClosure, async ({ ctx, caller, origin }, input) => {
      await withRetryHint(closeAccount(ctx, caller, input, origin));
      const headers = new Headers((await signedOut()).headers);
      headers.delete("Location");
      throw redirect("/sign-in?account=closed", { headers });
    }),
  })(args);

const Close = () => {
  const { username, ends } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <>
      <PageHeader
        breadcrumbs={[{ label: "Your data", to: "/account/data" }]}
        title="Close account"
        description="This takes effect immediately and cannot be undone."
      />
      <Card title="What happens">
        <ul className="grid list-disc gap-1.5 pl-5 text-sm leading-6">
          <li>
            {ends.subscriptions === 0
              ? "You have no active subscriptions."
              : `${formatCount(ends.subscriptions, "active subscription ends", "active subscriptions end")} immediately, without a refund.`}
          </li>
          {ends.apiKeys > 0 ? (
            <li>
              {formatCount(ends.apiKeys, "API key is", "API keys are")} deleted. Programs that use{" "}
              {ends.apiKeys === 1 ? "it" : "them"} lose access.
            </li>
          ) : null}
          {ends.cards > 0 ? (
            <li>
              {formatCount(ends.cards, "saved card is", "saved cards are")} removed, also at our payment provider.
            </li>
          ) : null}
          <li>
            {ends.sessions > 1
              ? `${formatCount(ends.sessions, "session is", "sessions are")} signed out, including this one.`
              : "You are signed out."}
          </li>
          <li>We erase your e-mail address and username. You can use them for a new account.</li>
          <li>We keep invoices, payments and usage records for accounting, without your name.</li>
        </ul>
      </Card>
      <Card
        title="Before you go"
        description="Download these now. You cannot download them after closing the account."
        actions={
          <>
            <ButtonLink to="/account/export.json" icon="download" reloadDocument prefetch="none">
              Download my data
            </ButtonLink>
            <ButtonLink to="/billing.csv" icon="download" reloadDocument prefetch="none">
              Download invoices
            </ButtonLink>
          </>
        }
      />
      {ends.isLastOperator ? (
        <Alert tone="warning" title="You are the only operator">
          Grant the operator role to another account first. Then you can close this one.
        </Alert>
      ) : (
        <Card title="Confirm">
          <Form method="post" className="grid max-w-md gap-5" noValidate>
            {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
            <TextField
              name="username"
              label={`Your username, ${username}`}
              hint="Confirms that you are closing the right account."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              defaultValue={problem?.values.username}
              error={errorOf(problem?.fields, "username")}
            />
            <PasswordField
              name="current_password"
              label="Current password"
              autoComplete="current-password"
              required
              error={errorOf(problem?.fields, "current_password")}
            />
            <SecondProofField asks={ends.asks} error={errorOf(problem?.fields, "code")} next="/account/close" />
            <div className="flex flex-wrap gap-2">
              <SubmitButton variant="danger" name="intent" value="close" pendingLabel="Closing…">
                Close account permanently
              </SubmitButton>
              <ButtonLink to="/account/data">Keep account</ButtonLink>
            </div>
          </Form>
        </Card>
      )}
    </>
  );
};

export default Close;
