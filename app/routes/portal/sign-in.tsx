import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { credentials } from "../../domain/accounts/credentials.ts";
import { challengeMinutes } from "../../domain/accounts/policy.ts";
import { beginSignIn } from "../../domain/accounts/sign-in.server.ts";
import { Refusal } from "../../domain/errors.ts";
import { counted } from "../../domain/wording.ts";
import { saveChallenge } from "../../portal/challenge.server.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { PasswordField } from "../../portal/components/password-field.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { TextField } from "../../portal/components/text-field.tsx";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { safePath, signedIn, visit } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Sign in · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  if (caller) throw redirect(safePath(new URL(args.request.url).searchParams.get("next")));
  return { testMode: ctx.settings.testMode };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    "sign-in": openForm(credentials.extend({ next: z.string().optional() }), async (visit, { next, ...input }) => {
      const signIn = await beginSignIn(visit.ctx, input, visit.origin).catch(explainRejection);
      if ("session" in signIn) throw await signedIn(visit, signIn.session, safePath(next));
      throw redirect(`/sign-in/two-factor?${new URLSearchParams({ next: safePath(next) })}`, {
        headers: { "Set-Cookie": await saveChallenge(signIn.challenge) },
      });
    }),
  })(args);

const explainRejection = (error: unknown): never => {
  if (error instanceof Refusal && error.code === "unauthenticated") {
    throw new Refusal("unauthenticated", "The e-mail address or the password is not right");
  }
  if (error instanceof Refusal && error.code === "rate_limited") {
    throw new Refusal(
      "rate_limited",
      "Too many failed attempts. Wait until the next full hour, or set a new password by mail: “Forgot it?”",
    );
  }
  throw error;
};

const SignIn = () => {
  const { testMode } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const [search] = useSearchParams();
  return (
    <AuthPage
      title="Sign in"
      lead="Your routes, keys and invoices."
      aside={
        <>
          New here? <Link to={`/register?${search}`}>Create an account</Link>
        </>
      }
    >
      <Form method="post" className="grid gap-5" noValidate>
        {search.get("password") === "new" && !problem ? (
          <Alert tone="success" title="Your new password is set" live>
            Sign in with it. All other sessions have been ended.
          </Alert>
        ) : null}
        {search.get("account") === "closed" && !problem ? (
          <Alert tone="success" title="Your account is closed" live>
            A last message is on its way to the address that it had.
          </Alert>
        ) : null}
        {search.get("challenge") === "over" && !problem ? (
          <Alert tone="warning" title="That took too long" live>
            Sign in again, and enter the code within {counted(challengeMinutes, "minute")}.
          </Alert>
        ) : null}
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <input type="hidden" name="next" value={search.get("next") ?? ""} />
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autoComplete="email"
          required
          defaultValue={problem?.values.email}
          error={errorOf(problem?.fields, "email")}
        />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          aside={
            <Link to="/forgot-password" className="text-accent underline underline-offset-3">
              Forgot it?
            </Link>
          }
          error={errorOf(problem?.fields, "password")}
        />
        <SubmitButton pendingLabel="Signing in…">Sign in</SubmitButton>
      </Form>
      {testMode ? (
        <div className="mt-6">
          <Alert title="Look around first">
            The demo account is <strong>demo@example.com</strong> with the password <strong>demo-harbour-2026</strong>.
          </Alert>
        </div>
      ) : null}
    </AuthPage>
  );
};

export default SignIn;
