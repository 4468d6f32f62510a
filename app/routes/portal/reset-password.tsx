import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { passwordLength, passwordResetMinutes } from "#app/domain/accounts/policy.ts";
import { getContext } from "../../context.server.ts";
import { passwordReset } from "../../domain/accounts/credentials.ts";
import { openReset, resetPassword } from "../../domain/recovery/reset-password.server.ts";
import { counted } from "../../domain/wording.ts";
import { noteOwnPage } from "../../portal/cache-control.server.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { ButtonLink } from "../../portal/components/button.tsx";
import { CheckboxField } from "../../portal/components/checkbox-field.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { PasswordField } from "../../portal/components/password-field.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { wasReset } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [
  { title: "New password · Shipping Route Data Service" },
  { name: "robots", content: "noindex" },
];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  // The page contains the token.
  noteOwnPage(context);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return { token, open: await openReset(await getContext(), token) };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    reset: openForm(passwordReset, async (visit, input) => {
      const { deviceToken } = await resetPassword(visit.ctx, input, visit.origin);
      throw await wasReset(visit, deviceToken);
    }),
  })(args);

const ResetPassword = () => {
  const { token, open } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <AuthPage
      title={open ? "Set a new password" : "This link is no longer valid"}
      lead={
        open
          ? "Saving it signs you out on every device."
          : `Links work once, for ${counted(passwordResetMinutes, "minute")}.`
      }
      aside={
        <>
          Remembered your password? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      {open ? (
        <Form method="post" className="grid gap-5" noValidate>
          {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
          <input type="hidden" name="token" value={token} />
          <PasswordField
            name="new_password"
            label="New password"
            hint={`At least ${passwordLength.min} characters. A phrase that you remember works best.`}
            autoComplete="new-password"
            required
            error={errorOf(problem?.fields, "new_password")}
          />
          {open.isConfirmed ? null : (
            <Alert tone="warning" title="This confirms your e-mail address">
              Nobody has confirmed it yet, so somebody else may have registered it. We remove what could give them
              access: API keys, passkeys, two-factor sign-in, webhook endpoints and the calendar address.
            </Alert>
          )}
          {open.isConfirmed && open.apiKeys > 0 ? (
            <CheckboxField
              name="revoke_keys"
              label={`Also revoke ${counted(open.apiKeys, "API key")}`}
              hint="If somebody else may know your password, they may have copied or created keys. Your programs need new keys then."
              defaultChecked={problem?.values.revoke_keys === "on"}
            />
          ) : null}
          {open.isConfirmed && open.passkeys > 0 ? (
            <CheckboxField
              name="remove_passkeys"
              label={`Also remove ${counted(open.passkeys, "passkey")}`}
              hint="If somebody else may have added one: a passkey signs in without your password. After your password, you then need a code from your authenticator app or a recovery code."
              defaultChecked={problem?.values.remove_passkeys === "on"}
            />
          ) : null}
          <SubmitButton pendingLabel="Saving…">Set password</SubmitButton>
        </Form>
      ) : (
        <div className="grid gap-5">
          <p className="leading-6">
            If you have already set a new password with it, sign in with that. Otherwise your password is unchanged.
          </p>
          <ButtonLink to="/forgot-password" variant="primary">
            Get a new link
          </ButtonLink>
        </div>
      )}
    </AuthPage>
  );
};

export default ResetPassword;
