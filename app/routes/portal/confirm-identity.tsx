import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation, useSubmit } from "@remix-run/react";
import { z } from "zod";
import { renewProof } from "../../domain/accounts/confirm-holder.server.ts";
import { passwordAndCode } from "../../domain/accounts/credentials.ts";
import { passkeyAnswer } from "../../domain/accounts/passkey-json.ts";
import { beginPasskeyConfirmation, renewProofWithPasskey } from "../../domain/accounts/passkey-sign-in.server.ts";
import { recentProofMinutes } from "../../domain/accounts/policy.ts";
import { twoFactorOf } from "../../domain/accounts/two-factor.server.ts";
import { counted } from "../../domain/wording.ts";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { OneTimeCodeField } from "../../portal/components/one-time-code-field.tsx";
import { OrDivider } from "../../portal/components/or-divider.tsx";
import { PasskeyButton, type PasskeyOptions } from "../../portal/components/passkey-button.tsx";
import { PasswordField } from "../../portal/components/password-field.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { formAction, memberForm } from "../../portal/form-action.server.ts";
import { withRetryHint } from "../../portal/retry-hint.server.ts";
import { safePath, signedIn, visitOfMember } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Confirm it is you · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const factors = await twoFactorOf(ctx, caller);
  const next = safePath(new URL(args.request.url).searchParams.get("next"));
  return {
    email: caller.account.email,
    asksForCode: factors.isOn,
    hasApp: factors.isOn && factors.hasApp,
    hasPasskey: factors.isOn && factors.passkeys > 0,
    next,
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction<{ options: PasskeyOptions }>({
    confirm: memberForm(passwordAndCode.extend({ next: z.string().optional() }), async (visit, { next, ...input }) => {
      const session = await withRetryHint(renewProof(visit.ctx, visit.caller, input, visit.origin));
      throw await signedIn(visit, session, safePath(next));
    }),
    "passkey-options": memberForm(z.object({}), async ({ ctx, caller }) => ({
      options: { get: await beginPasskeyConfirmation(ctx, caller) },
    })),
    passkey: memberForm(z.object({ passkey: passkeyAnswer, next: z.string().optional() }), async (visit, input) => {
      const session = await withRetryHint(renewProofWithPasskey(visit.ctx, visit.caller, input, visit.origin));
      throw await signedIn(visit, session, safePath(input.next));
    }),
  })(args);

const ConfirmIdentity = () => {
  const { email, asksForCode, hasApp, hasPasskey, next } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const submit = useSubmit();
  const isPasskeySent = useNavigation().formData?.get("intent") === "passkey";
  return (
    <AuthPage
      title="Confirm it is you"
      lead={`You signed in more than ${counted(recentProofMinutes, "minute")} ago. What you are about to do needs a fresh confirmation.`}
      aside={<Link to={next}>Go back</Link>}
    >
      {problem ? (
        <div className="mb-5">
          <FormError message={problem.message} fields={problem.fields} />
        </div>
      ) : null}
      <p className="mb-5 leading-6">
        You are signed in as <strong className="wrap-anywhere">{email}</strong>.
      </p>
      {hasPasskey ? (
        <>
          <PasskeyButton
            ask="passkey-options"
            onAnswer={(passkey) => submit({ intent: "passkey", passkey, next }, { method: "post" })}
            pending={isPasskeySent}
            otherwise="Confirm with your password and a code."
            variant="primary"
            isWide
          >
            Use a passkey
          </PasskeyButton>
          <OrDivider />
        </>
      ) : null}
      <Form method="post" className="grid gap-5" noValidate>
        <input type="hidden" name="next" value={next} />
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
          <OneTimeCodeField
            accepts={hasApp ? "app code or recovery code" : "recovery code"}
            error={errorOf(problem?.fields, "code")}
          />
        ) : null}
        <SubmitButton
          name="intent"
          value="confirm"
          variant={hasPasskey ? "secondary" : "primary"}
          pendingLabel="Confirming…"
        >
          Confirm
        </SubmitButton>
      </Form>
    </AuthPage>
  );
};

export default ConfirmIdentity;
