import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findVerification, verifyEmail } from "../../domain/accounts/email-verification.server.ts";
import { emailLinkHours } from "../../domain/accounts/policy.ts";
import { counted } from "../../domain/wording.ts";
import { noteOwnPage } from "../../portal/cache-control.server.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { AuthPage } from "../../portal/components/auth-page.tsx";
import { ButtonLink } from "../../portal/components/button.tsx";
import { FormError } from "../../portal/components/form-error.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { formAction, memberForm } from "../../portal/form-action.server.ts";
import { readReturnPath } from "../../portal/return-path.server.ts";
import { visit } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [
  { title: "Confirm your e-mail address · Shipping Route Data Service" },
  { name: "robots", content: "noindex" },
];

/** Only looks the token up: mail programs prefetch links, and that must not use the token. */
export const loader = async (args: LoaderFunctionArgs) => {
  noteOwnPage(args.context);
  const { ctx, caller } = await visit(args);
  const token = new URL(args.request.url).searchParams.get("token") ?? "";
  const holder = caller && { email: caller.account.email, isVerified: caller.account.emailVerifiedAt !== null };
  const link = await findVerification(ctx, token);
  return {
    token,
    found: link && { email: link.email, replaces: link.replaces, isOwn: link.accountId === caller?.account.id },
    holder,
    returnPath: await readReturnPath(args.request),
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    confirm: memberForm(z.object({ token: z.string().max(200) }), ({ ctx, caller }, input) =>
      verifyEmail(ctx, caller, input),
    ),
  })(args);

const VerifyEmail = () => {
  const { token, found, holder, returnPath } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const confirmed = actionData?.result?.email;
  if (!confirmed && !found) return <InvalidLink />;
  if (!confirmed && found && !found.isOwn) return <SignInFirst email={found.email} />;
  return (
    <AuthPage
      title="Confirm your e-mail address"
      lead="We send receipts, reminders and password links to it."
      aside={holder ? <Link to="/account">Your profile</Link> : <Link to="/sign-in">Sign in</Link>}
    >
      {confirmed ? (
        <div className="grid gap-5">
          <Alert tone="success" title="E-mail address confirmed" live>
            <span className="wrap-anywhere">{confirmed}</span>
          </Alert>
          <ButtonLink
            to={holder ? returnPath : `/sign-in?${new URLSearchParams({ next: returnPath })}`}
            variant="primary"
          >
            {holder ? "Continue" : "Sign in"}
          </ButtonLink>
        </div>
      ) : found ? (
        <Form method="post" className="grid gap-5" noValidate>
          {actionData?.problem ? <FormError message={actionData.problem.message} /> : null}
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
          <SubmitButton pendingLabel="Confirming…">Confirm address</SubmitButton>
        </Form>
      ) : null}
    </AuthPage>
  );
};

export default VerifyEmail;

/** The link alone is no proof that its reader opened the account: somebody else may have registered the address. */
const SignInFirst = ({ email }: { email: string }) => {
  const { token, holder } = useLoaderData<typeof loader>();
  const next = `/verify-email?${new URLSearchParams({ token })}`;
  return (
    <AuthPage
      title="Confirm your e-mail address"
      lead="Sign in to the account that this link belongs to."
      aside={
        <>
          Is somebody else using your address? <Link to="/forgot-password">Set a new password</Link>. This signs them
          out and removes what they set up.
        </>
      }
    >
      <div className="grid gap-5">
        <p className="leading-6">
          The link confirms <strong className="wrap-anywhere">{email}</strong>.
          {holder ? (
            <>
              {" "}
              You are signed in as <span className="wrap-anywhere">{holder.email}</span>. Sign out, then open the link
              again.
            </>
          ) : (
            " If you did not create an account or change your address, do not confirm it."
          )}
        </p>
        {holder ? null : (
          <ButtonLink to={`/sign-in?${new URLSearchParams({ next })}`} variant="primary">
            Sign in to confirm
          </ButtonLink>
        )}
      </div>
    </AuthPage>
  );
};

/** The link is used, expired or replaced. What to offer depends on who is signed in. */
const InvalidLink = () => {
  const { holder } = useLoaderData<typeof loader>();
  return (
    <AuthPage
      title="This link is no longer valid"
      lead={`Links work once, for ${counted(emailLinkHours, "hour")}. Only the newest is valid.`}
      aside={holder ? <Link to="/support/new">Contact support</Link> : <Link to="/register">Create an account</Link>}
    >
      {holder?.isVerified ? (
        <div className="grid gap-5">
          <p className="leading-6">
            <strong className="wrap-anywhere">{holder.email}</strong> is already confirmed. To change it, request the
            change again in your profile.
          </p>
          <ButtonLink to="/account" variant="primary">
            Go to your profile
          </ButtonLink>
        </div>
      ) : holder ? (
        <Form method="post" action="/account?index" className="grid gap-5">
          <p className="leading-6">
            We can send a new link to <strong className="wrap-anywhere">{holder.email}</strong>. It replaces earlier
            ones.
          </p>
          <SubmitButton name="intent" value="verify" pendingLabel="Sending…">
            Send new link
          </SubmitButton>
        </Form>
      ) : (
        <div className="grid gap-5">
          <p className="leading-6">
            Your address may be confirmed already. Sign in to check it in your profile, and to get a new link if needed.
          </p>
          <ButtonLink to="/sign-in?next=%2Faccount" variant="primary">
            Sign in
          </ButtonLink>
        </div>
      )}
    </AuthPage>
  );
};
