import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { secondProofWith } from "#app/domain/accounts/confirm-holder.server.ts";
import { passwordAndCode, passwordChange } from "#app/domain/accounts/credentials.ts";
import { newPasskey, passkeyRemoval, passkeyRename } from "#app/domain/accounts/passkey-json.ts";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "#app/domain/accounts/passkeys.server.ts";
import { passwordLength } from "#app/domain/accounts/policy.ts";
import {
  listSessions,
  revokeAllSessions,
  revokeOtherSessions,
  revokeSession,
} from "#app/domain/accounts/sessions-list.server.ts";
import { renewRecoveryCodes, turnOffTwoFactor, twoFactorOf } from "#app/domain/accounts/two-factor.server.ts";
import { countKeys } from "#app/domain/api-keys/manage.server.ts";
import { changePassword } from "#app/domain/recovery/change-password.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { SecondProofField } from "#app/portal/components/one-time-code-field.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import type { PasskeyOptions } from "#app/portal/components/passkey-button.tsx";
import { PasswordField } from "#app/portal/components/password-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount } from "#app/portal/format.ts";
import { withRetryHint } from "#app/portal/retry-hint.server.ts";
import { safePath, signedOut, visitOfMember } from "#app/portal/session.server.ts";
import { PasskeysCard } from "./passkeys-card.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoFactorCard } from "./two-factor-card.tsx";
import { describeUserAgent } from "./user-agent.ts";

export const meta: MetaFunction = () => [{ title: "Security · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [sessions, twoFactor, apiKeys, passkeys] = await Promise.all([
    listSessions(ctx, caller),
    twoFactorOf(ctx, caller),
    countKeys(ctx, caller),
    listPasskeys(ctx, caller),
  ]);
  const search = new URL(args.request.url).searchParams;
  return {
    /** After a sign-in with a recovery code: the page that the visitor wanted. Null otherwise. */
    continueTo: search.get("recovery-code") === "used" ? safePath(search.get("next")) : null,
    twoFactor: twoFactor.isOn ? { ...twoFactor, since: twoFactor.since.toISOString() } : null,
    /** What forms ask for besides the password. */
    asks: secondProofWith(ctx, caller, twoFactor),
    passkeys: passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
      ...passkey,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    /** As entered before the holder was asked to confirm who they are, or the browser that adds it. */
    passkeyName: search.get("name") ?? describeUserAgent(args.request.headers.get("User-Agent")),
    email: caller.account.email,
    apiKeys,
    sessions: sessions.map(({ userAgent, createdAt, expiresAt, ...session }) => ({
      ...session,
      program: describeUserAgent(userAgent),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
};

/** The result of a successful form. */
type Done = { message: string; recoveryCodes?: string[]; options?: never } | { options: PasskeyOptions };

export const action = (args: ActionFunctionArgs) =>
  formAction<Done>({
    password: memberForm(passwordChange, async ({ ctx, caller, origin }, input) => {
      const done = await withRetryHint(changePassword(ctx, caller, input, origin));
      const { endedSessions, revokedKeys, removedPasskeys } = done;
      const revoked = revokedKeys > 0 ? ` ${formatCount(revokedKeys, "API key was", "API keys were")} revoked.` : "";
      const removed =
        removedPasskeys > 0 ? ` ${formatCount(removedPasskeys, "passkey was", "passkeys were")} removed.` : "";
      return { message: `Your password is changed.${endedInWords(endedSessions)}${revoked}${removed}` };
    }),
    "recovery-codes": memberForm(passwordAndCode, async ({ ctx, caller, origin }, input) => {
      const { recoveryCodes } = await withRetryHint(renewRecoveryCodes(ctx, caller, input, origin));
      return { message: "You have new recovery codes. The old ones no longer work.", recoveryCodes };
    }),
    "two-factor-off": memberForm(passwordAndCode, async ({ ctx, caller, origin }, input) => {
      const { isOff } = await withRetryHint(turnOffTwoFactor(ctx, caller, input, origin));
      return { message: isOff ? "Two-factor sign-in is off." : "The authenticator app is removed." };
    }),
    "passkey-options": memberForm(z.object({}), async ({ ctx, caller }) => ({
      options: { create: await beginPasskey(ctx, caller) },
    })),
    "passkey-add": memberForm(newPasskey, async ({ ctx, caller, origin }, input) => {
      const { recoveryCodes } = await withRetryHint(addPasskey(ctx, caller, input, origin));
      const added = `The passkey “${input.name}” is added.`;
      return recoveryCodes.length > 0
        ? { message: `${added} Two-factor sign-in is on: your password alone no longer signs in.`, recoveryCodes }
        : { message: added };
    }),
    "passkey-rename": memberForm(passkeyRename, async ({ ctx, caller }, input) => {
      await renamePasskey(ctx, caller, input);
      return { message: `The passkey is now called “${input.name}”.` };
    }),
    "passkey-remove": memberForm(passkeyRemoval, async ({ ctx, caller }, input) => {
      const { name, isOff } = await removePasskey(ctx, caller, input);
      return { message: `The passkey “${name}” is removed.${isOff ? " Two-factor sign-in is off." : ""}` };
    }),
    revoke: memberForm(z.object({ id: z.string() }), async ({ ctx, caller }, input) => {
      await revokeSession(ctx, caller, input);
      return { message: "The session is signed out." };
    }),
    "revoke-others": memberForm(z.object({}), async ({ ctx, caller }) => {
      const { endedSessions } = await revokeOtherSessions(ctx, caller);
      return { message: `You are signed in here only.${endedInWords(endedSessions)}` };
    }),
    "revoke-all": memberForm(z.object({}), async ({ ctx, caller }) => {
      await revokeAllSessions(ctx, caller);
      throw await signedOut();
    }),
  })(args);

const endedInWords = (count: number): string =>
  count > 0 ? ` ${formatCount(count, "other session was", "other sessions were")} signed out.` : "";

const Security = () => {
  const { sessions, twoFactor, asks, passkeys, passkeyName, continueTo } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const problem = actionData?.problem ?? null;
  const done = actionData?.result && "message" in actionData.result ? actionData.result : null;
  const isShownInItsCard =
    problem !== null && ["password", "recovery-codes", "two-factor-off", "passkey-add"].includes(problem.intent);
  return (
    <>
      <PageHeader
        title="Security"
        description="Your password, passkeys, two-factor sign-in, and the sessions that are signed in now."
      />
      {done ? (
        <Alert tone="success" live>
          {done.message}
        </Alert>
      ) : null}
      {problem && !isShownInItsCard ? <FormError message={problem.message} /> : null}
      {done?.recoveryCodes ? <RecoveryCodes codes={done.recoveryCodes} /> : null}
      {continueTo && !actionData && twoFactor ? (
        <Alert
          tone="warning"
          title={`You signed in with a recovery code. You have ${formatCount(twoFactor.recoveryCodesLeft, "code")} left`}
          action={<ButtonLink to={continueTo}>Continue</ButtonLink>}
          live
        >
          {twoFactor.hasApp
            ? "If you have lost your phone, turn two-factor sign-in off with another recovery code. Then set it up on a new phone."
            : "If you have lost your passkey, remove it below and add a new one."}
        </Alert>
      ) : null}
      <Password key={done?.message} />
      <PasskeysCard
        key={`passkeys ${done?.message}`}
        passkeys={passkeys}
        name={passkeyName}
        hasApp={twoFactor?.hasApp ?? false}
        problem={problem}
      />
      <TwoFactorCard key={`two-factor ${done?.message}`} on={twoFactor} asks={asks} problem={problem} />
      <SessionsCard sessions={sessions} />
    </>
  );
};

export default Security;

const Password = () => {
  const problem = useActionData<typeof action>()?.problem;
  const own = problem?.intent === "password" ? problem : null;
  const { email, apiKeys, asks, passkeys } = useLoaderData<typeof loader>();
  return (
    <Card title="Password" description="A new password signs out all other browsers and revokes all bearer tokens.">
      <Form method="post" className="grid max-w-md gap-5" noValidate>
        {own ? (
          <FormError
            message={own.message}
            fields={own.fields.map((field) => (field.path === "code" ? { ...field, path: "password-code" } : field))}
          />
        ) : null}
        {/* For password managers. It has no name, so it is not submitted. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          required
          error={errorOf(own?.fields, "current_password")}
        />
        <PasswordField
          name="new_password"
          label="New password"
          hint={`${passwordLength.min} to ${passwordLength.max} characters. A phrase of several words is easy to remember.`}
          autoComplete="new-password"
          required
          minLength={passwordLength.min}
          error={errorOf(own?.fields, "new_password")}
        />
        <SecondProofField
          asks={asks}
          id="password-code"
          error={errorOf(own?.fields, "code")}
          next="/account/security"
        />
        {apiKeys > 0 ? (
          <CheckboxField
            name="revoke_keys"
            label={`Also revoke ${formatCount(apiKeys, "API key")}`}
            hint="If somebody else may know your password. Your programs need new keys then."
            defaultChecked={own?.values.revoke_keys === "on"}
          />
        ) : null}
        {passkeys.length > 0 ? (
          <CheckboxField
            name="remove_passkeys"
            label={`Also remove ${formatCount(passkeys.length, "passkey")}`}
            hint="If somebody else may have added one. After your password, you then need a code from your app or a recovery code."
            defaultChecked={own?.values.remove_passkeys === "on"}
          />
        ) : null}
        <div>
          <SubmitButton name="intent" value="password" variant="secondary" pendingLabel="Changing…">
            Change password
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};
