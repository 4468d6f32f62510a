import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation, useSubmit } from "@remix-run/react";
import { z } from "zod";
import { secondFactorCode } from "../../domain/accounts/credentials.ts";
import { passkeyAnswer } from "../../domain/accounts/passkey-json.ts";
import { answerWithPasskey, beginPasskeyAnswer } from "../../domain/accounts/passkey-sign-in.server.ts";
import { oneTimeCode } from "../../domain/accounts/policy.ts";
import type { OpenSession } from "../../domain/accounts/session.server.ts";
import { answerChallenge, waysToAnswer } from "../../domain/accounts/sign-in.server.ts";
import { Refusal } from "../../domain/errors.ts";
import { clearChallenge, readChallenge } from "../../portal/challenge.server.ts";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { OneTimeCodeField } from "../../portal/components/one-time-code-field.tsx";
import { OrDivider } from "../../portal/components/or-divider.tsx";
import { PasskeyButton, type PasskeyOptions } from "../../portal/components/passkey-button.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { TextField } from "../../portal/components/text-field.tsx";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { withRetryHint } from "../../portal/retry-hint.server.ts";
import { safePath, signedIn, type Visit, visit } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Two-factor sign-in · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const search = new URL(args.request.url).searchParams;
  const next = safePath(search.get("next"));
  const token = await readChallenge(args.request);
  // Checked before the caller: someone switching accounts is still signed in to the previous one.
  const ways = token === null ? null : await waysToAnswer(ctx, token);
  if (!ways) throw redirect(caller ? next : startOver(next));
  const hasOther = ways.app || ways.passkey;
  return { next, ways, byRecoveryCode: search.get("with") === "recovery-code" || !hasOther };
};

const startOver = (next: string): string => `/sign-in?${new URLSearchParams({ next, challenge: "over" })}`;

export const action = (args: ActionFunctionArgs) =>
  formAction<{ options: PasskeyOptions }>({
    code: openForm(z.object({ code: secondFactorCode, next: z.string().optional() }), async (visit, { code, next }) => {
      const token = (await readChallenge(args.request)) ?? "";
      const attempt = orStartOver(answerChallenge(visit.ctx, { token, code }, visit.origin), next);
      const { session, recoveryCodesLeft } = await withRetryHint(attempt);
      throw await entered(visit, session, recoveryCodesLeft === null ? safePath(next) : afterRecoveryCode(next));
    }),
    "passkey-options": openForm(z.object({ next: z.string().optional() }), async ({ ctx }, { next }) => {
      const token = (await readChallenge(args.request)) ?? "";
      return { options: { get: await orStartOver(beginPasskeyAnswer(ctx, token), next) } };
    }),
    passkey: openForm(z.object({ passkey: passkeyAnswer, next: z.string().optional() }), async (visit, input) => {
      const token = (await readChallenge(args.request)) ?? "";
      const attempt = answerWithPasskey(visit.ctx, { token, passkey: input.passkey }, visit.origin);
      const session = await withRetryHint(orStartOver(attempt, input.next));
      throw await entered(visit, session, safePath(input.next));
    }),
  })(args);

/** @throws a redirect to the password if the sign-in has expired */
const orStartOver = <Result,>(attempt: Promise<Result>, next: string | undefined): Promise<Result> =>
  attempt.catch((error) => {
    if (error instanceof Refusal && error.code === "unauthenticated") throw redirect(startOver(safePath(next)));
    throw error;
  });

const entered = async (visit: Visit, session: OpenSession, next: string): Promise<Response> => {
  const response = await signedIn(visit, session, next);
  response.headers.append("Set-Cookie", await clearChallenge());
  return response;
};

/** To the security page, where used codes can be replaced. From there a link leads on to `next`. */
const afterRecoveryCode = (next: string | undefined): string =>
  `/account/security?${new URLSearchParams({ "recovery-code": "used", next: safePath(next) })}`;

const TwoFactor = () => {
  const { next, ways, byRecoveryCode } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const submit = useSubmit();
  const isPasskeySent = useNavigation().formData?.get("intent") === "passkey";
  const other = new URLSearchParams({ next, ...(byRecoveryCode ? {} : { with: "recovery-code" }) });
  const otherWay = byRecoveryCode ? otherWayOf(ways) : "Use a recovery code";
  const byPasskey = ways.passkey && !byRecoveryCode;
  return (
    <AuthPage
      title="Two-factor sign-in"
      lead={byRecoveryCode ? recoveryCodeLead : leadOf(ways)}
      aside={
        <>
          {otherWay ? (
            <>
              <Link to={`?${other}`} replace>
                {otherWay}
              </Link>{" "}
              or{" "}
            </>
          ) : null}
          <Link to={`/sign-in?${new URLSearchParams({ next })}`}>{otherWay ? "start over" : "Start over"}</Link>
        </>
      }
    >
      {problem ? (
        <div className="mb-5">
          <FormError message={problem.message} fields={problem.fields} />
        </div>
      ) : null}
      {byPasskey ? (
        <PasskeyButton
          ask="passkey-options"
          fields={{ next }}
          onAnswer={(passkey) => submit({ intent: "passkey", passkey, next }, { method: "post" })}
          pending={isPasskeySent}
          otherwise={ways.app ? "Enter a code." : "Use a recovery code."}
          variant="primary"
          isWide
        >
          Use a passkey
        </PasskeyButton>
      ) : null}
      {byPasskey && ways.app ? <OrDivider /> : null}
      {byRecoveryCode || ways.app ? (
        <Form method="post" className="grid gap-5" noValidate key={String(byRecoveryCode)}>
          <input type="hidden" name="next" value={next} />
          {byRecoveryCode ? (
            <TextField
              name="code"
              label="Recovery code"
              hint="Letters and digits in groups of four, like 7k3m-x9pq-2vwd-hn5t-b8rc-4zaj."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              error={errorOf(problem?.fields, "code")}
            />
          ) : (
            <OneTimeCodeField
              accepts="app code"
              hint={`${oneTimeCode.digits} digits; a new one every ${oneTimeCode.stepSeconds} seconds.`}
              error={errorOf(problem?.fields, "code")}
            />
          )}
          <SubmitButton
            name="intent"
            value="code"
            variant={byPasskey ? "secondary" : "primary"}
            pendingLabel="Signing in…"
          >
            Sign in
          </SubmitButton>
        </Form>
      ) : null}
    </AuthPage>
  );
};

export default TwoFactor;

type Ways = { app: boolean; passkey: boolean };

const recoveryCodeLead =
  "Enter one of your recovery codes. Each works once. If you have lost them, contact support: after checking your identity, we can turn two-factor off.";

const leadOf = ({ app, passkey }: Ways): string =>
  !passkey
    ? "Enter the current code from your authenticator app."
    : app
      ? "Use your passkey, or enter the current code from your authenticator app."
      : "Your password is right. Now use your passkey.";

const otherWayOf = ({ app, passkey }: Ways): string | null =>
  passkey ? (app ? "Use your passkey or app" : "Use your passkey") : app ? "Use your authenticator app" : null;
