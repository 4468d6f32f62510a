import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { passwordAgain, secondFactorCode } from "#app/domain/accounts/credentials.ts";
import { enrolmentMinutes, oneTimeCode } from "#app/domain/accounts/policy.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment, twoFactorOf } from "#app/domain/accounts/two-factor.server.ts";
import { counted } from "#app/domain/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { OneTimeCodeField } from "#app/portal/components/one-time-code-field.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PasswordField } from "#app/portal/components/password-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { qrCodeOf } from "#app/portal/qr-code.server.ts";
import { withRetryHint } from "#app/portal/retry-hint.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

export const meta: MetaFunction = () => [{ title: "Set up two-factor sign-in · Shipping Route Data Service" }];

const ownPath = "/account/security/two-factor";

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [factors, pending] = await Promise.all([twoFactorOf(ctx, caller), enrolment(ctx, caller)]);
  return {
    email: caller.account.email,
    /** Sent here by the console. */
    isRequired: new URL(args.request.url).searchParams.get("for") === "operations",
    isOn: factors.isOn,
    hasApp: factors.isOn && factors.hasApp,
    pending: pending && { qrCode: qrCodeOf(pending.uri), typed: pending.typed },
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction<{ recoveryCodes: string[] }>({
    begin: memberForm(passwordAgain, async ({ ctx, caller, origin }, input) => {
      await withRetryHint(beginTwoFactor(ctx, caller, input, origin));
      throw redirect(ownPath + new URL(args.request.url).search);
    }),
    confirm: memberForm(z.object({ code: secondFactorCode }), ({ ctx, caller, origin }, input) =>
      withRetryHint(confirmTwoFactor(ctx, caller, input, origin)),
    ),
  })(args);

const TwoFactor = () => {
  const { isOn, hasApp, isRequired, pending } = useLoaderData<typeof loader>();
  const codes = useActionData<typeof action>()?.result?.recoveryCodes ?? [];
  return (
    <>
      <PageHeader
        breadcrumbs={[{ label: "Security", to: "/account/security" }]}
        title={hasApp ? "Two-factor sign-in is on" : isOn ? "Set up an authenticator app" : "Set up two-factor sign-in"}
        description={
          hasApp
            ? "When you sign in, we ask for a code from your authenticator app."
            : "You need an authenticator app on your phone, such as Aegis, Google Authenticator, Microsoft Authenticator or 1Password."
        }
      />
      {isRequired && !isOn ? (
        <Alert tone="warning" title="Operators need two-factor sign-in">
          The console shows the data of all accounts, so a password alone does not open it. Set up an authenticator app
          here, or add a passkey under <Link to="/account/security#passkeys">Security</Link>. Then open the console
          again.
        </Alert>
      ) : null}
      {codes.length > 0 ? (
        <>
          <RecoveryCodes codes={codes} />
          <div className="no-print">
            <ButtonLink to="/account/security" variant="primary">
              I have saved the codes
            </ButtonLink>
          </div>
        </>
      ) : hasApp ? (
        <Alert title="New phone?" action={<ButtonLink to="/account/security">Back to Security</ButtonLink>}>
          Turn two-factor sign-in off under Security, or remove the app, then set it up again on the new phone.
        </Alert>
      ) : pending ? (
        <Confirm {...pending} />
      ) : (
        <Begin />
      )}
    </>
  );
};

export default TwoFactor;

const Begin = () => {
  const problem = useActionData<typeof action>()?.problem;
  const { email } = useLoaderData<typeof loader>();
  return (
    <Card
      title="Enter your password"
      description="We ask for it so that nobody else can set this up in a browser that you left open."
    >
      <Form method="post" className="grid max-w-md gap-5" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          required
          error={errorOf(problem?.fields, "current_password")}
        />
        <div>
          <SubmitButton name="intent" value="begin" pendingLabel="One moment…">
            Continue
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

type PendingEnrolment = { qrCode: { size: number; path: string }; typed: string };

const quietZone = 4;

const Confirm = ({ qrCode, typed }: PendingEnrolment) => {
  const problem = useActionData<typeof action>()?.problem;
  const size = qrCode.size + 2 * quietZone;
  return (
    <Card
      title="Scan the QR code, then enter a code"
      description={`The QR code is valid for ${counted(enrolmentMinutes, "minute")}.`}
    >
      <div className="grid gap-6 sm:grid-cols-[13rem_minmax(0,1fr)]">
        {/* QR scanners need dark on light, whatever the theme. */}
        <svg
          viewBox={`${-quietZone} ${-quietZone} ${size} ${size}`}
          role="img"
          aria-label="QR code for the authenticator app"
          shapeRendering="crispEdges"
          className="w-52 max-w-full rounded-lg border border-line"
        >
          <rect x={-quietZone} y={-quietZone} width={size} height={size} fill="#fff" />
          <path d={qrCode.path} fill="#000" />
        </svg>
        <div className="grid content-start gap-5">
          <div className="text-sm">
            <p className="text-muted">If you cannot scan it, type this key into the app:</p>
            <code className="mt-1 block select-all font-mono text-ink leading-6" data-testid="secret">
              {typed}
            </code>
          </div>
          <Form method="post" className="grid max-w-xs gap-5" noValidate>
            {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
            <OneTimeCodeField
              accepts="app code"
              hint={`The ${oneTimeCode.digits} digits from the app.`}
              error={errorOf(problem?.fields, "code")}
            />
            <div>
              <SubmitButton name="intent" value="confirm" pendingLabel="Turning on…">
                Turn on
              </SubmitButton>
            </div>
          </Form>
        </div>
      </div>
    </Card>
  );
};
