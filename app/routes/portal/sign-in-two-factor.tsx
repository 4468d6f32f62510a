import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { secondFactorCode } from "../../domain/accounts/credentials.ts";
import { oneTimeCode } from "../../domain/accounts/policy.ts";
import { answerChallenge, isChallengeOpen } from "../../domain/accounts/sign-in.server.ts";
import { Refusal } from "../../domain/errors.ts";
import { clearChallenge, readChallenge } from "../../portal/challenge.server.ts";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { OneTimeCodeField } from "../../portal/components/one-time-code-field.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { TextField } from "../../portal/components/text-field.tsx";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { withRetryHint } from "../../portal/retry-hint.server.ts";
import { safePath, signedIn, visit } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Two-factor sign-in · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const search = new URL(args.request.url).searchParams;
  const next = safePath(search.get("next"));
  const token = await readChallenge(args.request);
  // Checked before the caller: someone switching accounts is still signed in to the previous one.
  const isOpen = token !== null && (await isChallengeOpen(ctx, token));
  if (!isOpen) throw redirect(caller ? next : startOver(next));
  return { next, byRecoveryCode: search.get("with") === "recovery-code" };
};

const startOver = (next: string): string => `/sign-in?${new URLSearchParams({ next, challenge: "over" })}`;

export const action = (args: ActionFunctionArgs) =>
  formAction({
    code: openForm(z.object({ code: secondFactorCode, next: z.string().optional() }), async (visit, { code, next }) => {
      const token = await readChallenge(args.request);
      const attempt = answerChallenge(visit.ctx, { token: token ?? "", code }, visit.origin).catch((error) => {
        if (error instanceof Refusal && error.code === "unauthenticated") throw redirect(startOver(safePath(next)));
        throw error;
      });
      const { session, recoveryCodesLeft } = await withRetryHint(attempt);
      const response = await signedIn(
        visit,
        session,
        recoveryCodesLeft === null ? safePath(next) : afterRecoveryCode(next),
      );
      response.headers.append("Set-Cookie", await clearChallenge());
      throw response;
    }),
  })(args);

/** To the security page, where used codes can be replaced. From there a link leads on to `next`. */
const afterRecoveryCode = (next: string | undefined): string =>
  `/account/security?${new URLSearchParams({ "recovery-code": "used", next: safePath(next) })}`;

const TwoFactor = () => {
  const { next, byRecoveryCode } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const other = new URLSearchParams({ next, ...(byRecoveryCode ? {} : { with: "recovery-code" }) });
  return (
    <AuthPage
      title="Two-factor sign-in"
      lead={
        byRecoveryCode
          ? "Enter one of your recovery codes. Each works once. If you have lost them, contact support: after checking your identity, we can turn two-factor off."
          : "Enter the current code from your authenticator app."
      }
      aside={
        <>
          <Link to={`?${other}`} replace>
            {byRecoveryCode ? "Use your authenticator app" : "Use a recovery code"}
          </Link>{" "}
          or <Link to={`/sign-in?${new URLSearchParams({ next })}`}>start over</Link>
        </>
      }
    >
      <Form method="post" className="grid gap-5" noValidate key={String(byRecoveryCode)}>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
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
        <SubmitButton pendingLabel="Signing in…">Sign in</SubmitButton>
      </Form>
    </AuthPage>
  );
};

export default TwoFactor;
