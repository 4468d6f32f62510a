import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { renewProof } from "../../domain/accounts/confirm-holder.server.ts";
import { passwordAndCode } from "../../domain/accounts/credentials.ts";
import { recentProofMinutes } from "../../domain/accounts/policy.ts";
import { twoFactorOf } from "../../domain/accounts/two-factor.server.ts";
import { counted } from "../../domain/wording.ts";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { OneTimeCodeField } from "../../portal/components/one-time-code-field.tsx";
import { PasswordField } from "../../portal/components/password-field.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { formAction, memberForm } from "../../portal/form-action.server.ts";
import { withRetryHint } from "../../portal/retry-hint.server.ts";
import { safePath, signedIn, visitOfMember } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Confirm it is you · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const { isOn } = await twoFactorOf(ctx, caller);
  const next = safePath(new URL(args.request.url).searchParams.get("next"));
  return { email: caller.account.email, asksForCode: isOn, next };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    confirm: memberForm(passwordAndCode.extend({ next: z.string().optional() }), async (visit, { next, ...input }) => {
      const session = await withRetryHint(renewProof(visit.ctx, visit.caller, input, visit.origin));
      throw await signedIn(visit, session, safePath(next));
    }),
  })(args);

const ConfirmIdentity = () => {
  const { email, asksForCode, next } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <AuthPage
      title="Confirm it is you"
      lead={`You signed in more than ${counted(recentProofMinutes, "minute")} ago. What you are about to do needs a fresh confirmation.`}
      aside={<Link to={next}>Go back</Link>}
    >
      <Form method="post" className="grid gap-5" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <input type="hidden" name="next" value={next} />
        <p className="leading-6">
          You are signed in as <strong className="wrap-anywhere">{email}</strong>.
        </p>
        {/* For password managers. It has no name, so it is not submitted. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          required
          error={errorOf(problem?.fields, "current_password")}
        />
        {asksForCode ? (
          <OneTimeCodeField accepts="app code or recovery code" error={errorOf(problem?.fields, "code")} />
        ) : null}
        <SubmitButton pendingLabel="Confirming…">Confirm</SubmitButton>
      </Form>
    </AuthPage>
  );
};

export default ConfirmIdentity;
