import { Form, Link } from "@remix-run/react";
import type { SecondProof } from "#app/domain/accounts/confirm-holder.server.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { SecondProofField } from "#app/portal/components/one-time-code-field.tsx";
import { PasswordField } from "#app/portal/components/password-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";
import { formatCount, formatDay } from "#app/portal/format.ts";

type State = { since: string; hasApp: boolean; passkeys: number; recoveryCodesLeft: number };

type Props = {
  /** Null if two-factor sign-in is off. */
  on: State | null;
  /** What forms ask for besides the password. */
  asks: SecondProof;
  /** Why a form of this card was rejected. */
  problem: FormProblem | null;
};

/** The state of two-factor sign-in, and the forms to change it. */
export const TwoFactorCard = ({ on, asks, problem }: Props) => (
  <Card
    title={
      <span className="flex flex-wrap items-center gap-2">
        Two-factor sign-in
        {on ? (
          <Badge tone="success" dot>
            On
          </Badge>
        ) : (
          <Badge>Off</Badge>
        )}
      </span>
    }
    description="After your password, we ask for a passkey or a code from an app on your phone. API keys need neither."
    actions={
      on ? null : (
        <ButtonLink to="/account/security/two-factor" variant="primary">
          Set up
        </ButtonLink>
      )
    }
  >
    {on ? (
      <div className="grid gap-4 text-sm">
        <p>
          On since {formatDay(on.since)}.{" "}
          {on.recoveryCodesLeft === 0 ? (
            <strong className="text-danger">You have no recovery codes left. Create new ones.</strong>
          ) : (
            <>{formatCount(on.recoveryCodesLeft, "recovery code is", "recovery codes are")} left.</>
          )}
        </p>
        <Means {...on} />
        <ProofForm
          summary="Create new recovery codes"
          explanation="The old codes stop working."
          intent="recovery-codes"
          label="Create new codes"
          asks={asks}
          problem={problem}
        />
        {on.hasApp && on.passkeys > 0 ? (
          <ProofForm
            summary="Remove the authenticator app"
            explanation="Your passkeys remain, and your recovery codes keep working."
            intent="two-factor-off"
            label="Remove the app"
            isDangerous
            asks={asks}
            problem={problem}
          />
        ) : on.passkeys > 0 ? null : (
          <ProofForm
            summary="Turn off two-factor sign-in"
            explanation="You then sign in with your password only, and your recovery codes stop working."
            intent="two-factor-off"
            label="Turn two-factor sign-in off"
            isDangerous
            asks={asks}
            problem={problem}
          />
        )}
      </div>
    ) : null}
  </Card>
);

/** What is asked for after the password, and what else can be set up. */
const Means = ({ hasApp, passkeys }: State) => (
  <p>
    {hasApp || passkeys > 0
      ? `After your password: ${[...(passkeys > 0 ? ["a passkey"] : []), ...(hasApp ? ["a code from your authenticator app"] : [])].join(" or ")}.`
      : "Recovery codes are your only second factor."}
    {passkeys > 0 && !hasApp ? " To turn two-factor sign-in off, remove your passkeys." : null}
    {hasApp ? null : (
      <>
        {" "}
        {passkeys > 0 ? "You can also" : "Add a passkey, or"}{" "}
        <Link to="/account/security/two-factor" className="font-medium text-accent underline underline-offset-3">
          set up an authenticator app
        </Link>
        .
      </>
    )}
  </p>
);

type FormProps = {
  summary: string;
  explanation: string;
  intent: string;
  label: string;
  /** The action makes the account less secure. */
  isDangerous?: boolean;
  asks: SecondProof;
  problem: FormProblem | null;
};

const ProofForm = ({ summary, explanation, intent, label, isDangerous = false, asks, problem }: FormProps) => {
  const own = problem?.intent === intent ? problem : null;
  // Both forms of this card are on the page at once, so their ids must differ.
  const idOf = (field: string) => `${intent}-${field === "current_password" ? "password" : field}`;
  return (
    <details open={own !== null}>
      <summary
        className={`inline-flex min-h-6 items-center rounded font-medium underline underline-offset-3 hover:decoration-2 ${isDangerous ? "text-danger" : "text-accent"}`}
      >
        {summary}
      </summary>
      <Form method="post" className="mt-3 grid max-w-md gap-4" noValidate>
        {own ? (
          <FormError
            message={own.message}
            fields={own.fields.map((field) => ({
              ...field,
              path: idOf(field.path),
            }))}
          />
        ) : null}
        <p className="text-muted">{explanation}</p>
        <PasswordField
          name="current_password"
          id={idOf("current_password")}
          label="Current password"
          autoComplete="current-password"
          required
          error={errorOf(own?.fields, "current_password")}
        />
        <SecondProofField asks={asks} id={idOf("code")} error={errorOf(own?.fields, "code")} next="/account/security" />
        <div>
          <SubmitButton
            name="intent"
            value={intent}
            variant={isDangerous ? "danger" : "secondary"}
            pendingLabel="One moment…"
          >
            {label}
          </SubmitButton>
        </div>
      </Form>
    </details>
  );
};
