import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation, useSearchParams, useSubmit } from "@remix-run/react";
import { z } from "zod";
import { credentials } from "../../domain/accounts/credentials.ts";
import { passkeyAnswer } from "../../domain/accounts/passkey-json.ts";
import { beginPasskeySignIn, signInWithPasskey } from "../../domain/accounts/passkey-sign-in.server.ts";
import { challengeMinutes } from "../../domain/accounts/policy.ts";
import { beginSignIn } from "../../domain/accounts/sign-in.server.ts";
import { Refusal } from "../../domain/errors.ts";
import { counted } from "../../domain/wording.ts";
import { clearPasskeyToken, readPasskeyToken, saveChallenge, savePasskeyToken } from "../../portal/challenge.server.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { OrDivider } from "../../portal/components/or-divider.tsx";
import { PasskeyButton, type PasskeyOptions } from "../../portal/components/passkey-button.tsx";
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

export const action = (args: ActionFunctionArgs) => {
  const headers = new Headers();
  const forms = {
    "sign-in": openForm(credentials.extend({ next: z.string().optional() }), async (visit, { next, ...input }) => {
      const signIn = await beginSignIn(visit.ctx, input, visit.origin).catch(explainRejection);
      if ("session" in signIn) throw await signedIn(visit, signIn.session, safePath(next));
      throw redirect(`/sign-in/two-factor?${new URLSearchParams({ next: safePath(next) })}`, {
        headers: { "Set-Cookie": await saveChallenge(signIn.challenge) },
      });
    }),
    "passkey-options": openForm(z.object({}), async ({ ctx }) => {
      const { options, ...begun } = await beginPasskeySignIn(ctx);
      headers.append("Set-Cookie", await savePasskeyToken(begun));
      return { options: { get: options } };
    }),
    passkey: openForm(z.object({ passkey: passkeyAnswer, next: z.string().optional() }), async (visit, input) => {
      const token = await readPasskeyToken(args.request);
      const attempt = signInWithPasskey(visit.ctx, { token, passkey: input.passkey }, visit.origin);
      const response = await signedIn(visit, await attempt.catch(explainRejection), safePath(input.next));
      response.headers.append("Set-Cookie", await clearPasskeyToken());
      throw response;
    }),
  };
  return formAction<{ options: PasskeyOptions }>(forms, headers)(args);
};

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
  const submit = useSubmit();
  const next = search.get("next") ?? "";
  const isPasskeySent = useNavigation().formData?.get("intent") === "passkey";
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
        <input type="hidden" name="next" value={next} />
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
        <SubmitButton name="intent" value="sign-in" pendingLabel="Signing in…">
          Sign in
        </SubmitButton>
      </Form>
      <OrDivider />
      <PasskeyButton
        ask="passkey-options"
        onAnswer={(passkey) => submit({ intent: "passkey", passkey, next }, { method: "post" })}
        pending={isPasskeySent}
        otherwise="Sign in with your password."
        isWide
      >
        Use a passkey
      </PasskeyButton>
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
