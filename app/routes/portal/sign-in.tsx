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
    throw new Refusal("unauthenticated", "E-mail address or password is incorrect");
  }
  if (error instanceof Refusal && error.code === "rate_limited") {
    throw new Refusal(
      "rate_limited",
      "Too many failed attempts. Wait until the next full hour, or reset your password: “Forgot password?”",
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
      lead="To your routes, keys and invoices."
      aside={
        <>
          New here? <Link to={`/register?${search}`}>Create an account</Link>
        </>
      }
    >
      <Form method="post" className="grid gap-5" noValidate>
        {search.get("password") === "new" && !problem ? (
          <Alert tone="success" title="Password changed" live>
            Sign in with your new password. We signed out all other sessions.
          </Alert>
        ) : null}
        {search.get("account") === "closed" && !problem ? (
          <Alert tone="success" title="Your account is closed" live>
            We sent a confirmation to your e-mail address.
          </Alert>
        ) : null}
        {search.get("challenge") === "over" && !problem ? (
          <Alert tone="warning" title="Your code has expired" live>
            Sign in again and enter a code within {counted(challengeMinutes, "minute")}.
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
              Forgot password?
            </Link>
          }
          error={errorOf(problem?.fields, "password")}
        />
        <SubmitButton pendingLabel="Signing in…">Sign in</SubmitButton>
      </Form>
      {testMode ? (
        <div className="mt-6">
          <Alert title="Try the demo">
            Sign in as <strong>demo@example.com</strong> with the password <strong>demo-harbour-2026</strong>.
          </Alert>
        </div>
      ) : null}
    </AuthPage>
  );
};

export default SignIn;
