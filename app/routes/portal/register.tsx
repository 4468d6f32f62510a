import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { Form, Link, useActionData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { passwordLength } from "#app/domain/accounts/policy.ts";
import { registration } from "../../domain/accounts/credentials.ts";
import { register } from "../../domain/accounts/register.server.ts";
import { openSession } from "../../domain/accounts/session.server.ts";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { PasswordField } from "../../portal/components/password-field.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { TextField } from "../../portal/components/text-field.tsx";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { saveReturnPath } from "../../portal/return-path.server.ts";
import { safePath, signedIn, visit } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Create account · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { caller } = await visit(args);
  if (caller) throw redirect(safePath(new URL(args.request.url).searchParams.get("next")));
  return null;
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    register: openForm(registration.extend({ next: z.string().optional() }), async (visit, { next, ...input }) => {
      const { ctx, origin } = visit;
      const account = await register(ctx, input, origin);
      const path = safePath(next);
      const response = await signedIn(visit, await openSession(ctx, account, "portal", origin), path);
      response.headers.append("Set-Cookie", await saveReturnPath(path));
      throw response;
    }),
  })(args);

const Register = () => {
  const problem = useActionData<typeof action>()?.problem;
  const [search] = useSearchParams();
  return (
    <AuthPage
      title="Create your account"
      lead="Free. Browse every route; pay only for the data you subscribe to."
      aside={
        <>
          Have an account? <Link to={`/sign-in?${search}`}>Sign in</Link>
        </>
      }
    >
      <Form method="post" className="grid gap-5" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <input type="hidden" name="next" value={search.get("next") ?? ""} />
        <TextField
          name="email"
          label="Work e-mail"
          type="email"
          autoComplete="email"
          required
          defaultValue={problem?.values.email}
          error={errorOf(problem?.fields, "email")}
        />
        <TextField
          name="username"
          label="Username"
          hint="Letters, digits, dots and dashes. Your API clients send it with the key."
          autoComplete="username"
          required
          defaultValue={problem?.values.username}
          error={errorOf(problem?.fields, "username")}
        />
        <PasswordField
          name="password"
          label="Password"
          hint={`At least ${passwordLength.min} characters. A phrase that you remember works best.`}
          autoComplete="new-password"
          required
          error={errorOf(problem?.fields, "password")}
        />
        <p className="text-muted text-sm leading-6">
          By creating an account, you accept the{" "}
          <Link to="/terms" className="link">
            terms
          </Link>
          . Our{" "}
          <Link to="/privacy" className="link">
            privacy policy
          </Link>{" "}
          says how we use your data.
        </p>
        <SubmitButton pendingLabel="Creating account…">Create account</SubmitButton>
      </Form>
    </AuthPage>
  );
};

export default Register;
