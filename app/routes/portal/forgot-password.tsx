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

export const meta: MetaFunction = () => [{ title: "Forgotten password · Shipping Route Data Service" }];

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
      "Too many requests. Use the newest link that we mailed, or wait until the next full hour",
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
      title={actionData?.result ? "Look into your mail" : "Forgotten password"}
      lead={
        actionData?.result
          ? "The link in it sets a new password."
          : "Enter your account's e-mail address, and we send a link that sets a new password."
      }
      aside={
        actionData?.result ? (
          <>
            Nothing there after some minutes?{" "}
            <Link to="/forgot-password" reloadDocument>
              Try another address
            </Link>
          </>
        ) : (
          <>
            Remembered it? <Link to="/sign-in">Sign in</Link>
          </>
        )
      }
    >
      {actionData?.result ? (
        <Alert tone="success" live>
          If <strong>{actionData.result.email}</strong> has an account, a link is on its way there. It works once,
          within {counted(passwordResetMinutes, "minute")}.{" "}
          {testMode ? (
            <>
              In test mode mail is kept in the{" "}
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
          <SubmitButton pendingLabel="Sending…">Send the link</SubmitButton>
        </Form>
      )}
    </AuthPage>
  );
};

export default ForgotPassword;
