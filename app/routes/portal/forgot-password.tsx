import type { ActionFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { getContext } from "../../context.server.ts";
import { forgottenPassword } from "../../domain/accounts/credentials.ts";
import { requestPasswordReset } from "../../domain/accounts/password-reset.server.ts";
import { passwordResetMinutes } from "../../domain/accounts/policy.ts";
import { Refusal } from "../../domain/errors.ts";
import { counted } from "../../domain/wording.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { TextField } from "../../portal/components/text-field.tsx";
import { formAction, openForm } from "../../portal/form-action.server.ts";

export const meta: MetaFunction = () => [{ title: "Reset password · Shipping Route Data Service" }];

export const loader = async () => {
  const { settings } = await getContext();
  return { testMode: settings.testMode };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    forgotten: openForm(forgottenPassword, async ({ ctx, origin }, input) => {
      await requestPasswordReset(ctx, input, origin).catch(explainRejection);
      return { email: input.email };
    }),
  })(args);

const explainRejection = (error: unknown): never => {
  if (error instanceof Refusal && error.code === "rate_limited") {
    throw new Refusal(
      "rate_limited",
      "Too many requests. Use the newest link we sent, or wait until the next full hour",
    );
  }
  throw error;
};

const ForgotPassword = () => {
  const { testMode } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const problem = actionData?.problem;
  return (
    <AuthPage
      title={actionData?.result ? "Check your e-mail" : "Reset your password"}
      lead={
        actionData?.result
          ? "Open the link in it to set a new password."
          : "Enter your e-mail address. We send you a link to set a new password."
      }
      aside={
        actionData?.result ? (
          <>
            No e-mail after a few minutes?{" "}
            <Link to="/forgot-password" reloadDocument>
              Try another address
            </Link>
          </>
        ) : (
          <>
            Remembered your password? <Link to="/sign-in">Sign in</Link>
          </>
        )
      }
    >
      {actionData?.result ? (
        <Alert tone="success" live>
          If <strong>{actionData.result.email}</strong> has an account, we sent a link to it. It works once, within{" "}
          {counted(passwordResetMinutes, "minute")}.{" "}
          {testMode ? (
            <>
              In test mode, find it in the{" "}
              <Link to="/test-mode/mailbox" className="text-accent underline underline-offset-3">
                test mailbox
              </Link>
              .
            </>
          ) : null}
        </Alert>
      ) : (
        <Form method="post" className="grid gap-5" noValidate>
          {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
          <TextField
            name="email"
            label="E-mail"
            type="email"
            autoComplete="email"
            required
            defaultValue={problem?.values.email}
            error={errorOf(problem?.fields, "email")}
          />
          <SubmitButton pendingLabel="Sending…">Send link</SubmitButton>
        </Form>
      )}
    </AuthPage>
  );
};

export default ForgotPassword;
