import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findVerification, verifyEmail } from "../../domain/accounts/email-verification.server.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { ButtonLink } from "../../portal/components/button.tsx";
import { FormError } from "../../portal/components/form-error.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { visit } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [
  { title: "Confirm your e-mail address · Shipping Route Data Service" },
  { name: "robots", content: "noindex" },
];

/** Looks only: mail programs open links by themselves, and that must not use one up. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const token = new URL(args.request.url).searchParams.get("token") ?? "";
  return { token, found: await findVerification(ctx, token), isSignedIn: caller !== null };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    confirm: openForm(z.object({ token: z.string().max(200) }), ({ ctx }, input) => verifyEmail(ctx, input)),
  })(args);

const VerifyEmail = () => {
  const { token, found, isSignedIn } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const confirmed = answer?.result?.email;
  return (
    <AuthPage
      title="Confirm your e-mail address"
      lead="Receipts, reminders and links for a new password go there."
      aside={isSignedIn ? <Link to="/account">Your profile</Link> : <Link to="/sign-in">Sign in</Link>}
    >
      {confirmed ? (
        <Alert
          tone="success"
          title="Your address is confirmed"
          live
          action={<ButtonLink to={isSignedIn ? "/routes" : "/sign-in"}>Continue</ButtonLink>}
        >
          <span className="wrap-anywhere">{confirmed}</span>
        </Alert>
      ) : found ? (
        <Form method="post" className="grid gap-5" noValidate>
          {answer?.problem ? <FormError message={answer.problem.message} /> : null}
          <input type="hidden" name="token" value={token} />
          <p className="leading-6">
            <strong className="wrap-anywhere">{found.email}</strong>{" "}
            {found.replaces === null ? (
              "is the address of your account."
            ) : (
              <>
                becomes the address of your account, in place of <span className="wrap-anywhere">{found.replaces}</span>
                .
              </>
            )}
          </p>
          <SubmitButton pendingLabel="Confirming…">Confirm the address</SubmitButton>
        </Form>
      ) : (
        <Alert
          tone="warning"
          title="This link does not work any more"
          action={<ButtonLink to="/account">Ask for a new link</ButtonLink>}
        >
          A link works once, within a day, and only the newest does.
        </Alert>
      )}
    </AuthPage>
  );
};

export default VerifyEmail;
