import { Form, Link } from "@remix-run/react";
import type { SecondProof } from "#app/domain/accounts/confirm-holder.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { SecondProofField } from "#app/portal/components/one-time-code-field.tsx";
import { PasswordField } from "#app/portal/components/password-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";

type Props = {
  email: string;
  isVerified: boolean;
  /** The requested address, until it is confirmed by the link mailed to it. */
  pending: string | null;
  /** What the form asks for besides the password. */
  asks: SecondProof;
  /** Why the change of address was rejected. */
  problem: FormProblem | null;
  testMode: boolean;
};

/** The account's e-mail address, whether it is confirmed, and the form to change it. */
export const EmailCard = ({ email, isVerified, pending, asks, problem, testMode }: Props) => (
  <Card title="E-mail address" description="You sign in with it. We send receipts, reminders and password links to it.">
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="wrap-anywhere font-medium text-ink">{email}</span>
        {isVerified ? (
          <Badge tone="success" dot>
            Confirmed
          </Badge>
        ) : (
          <>
            <Badge tone="warning" dot>
              Not confirmed yet
            </Badge>
            <Form method="post">
              <Button size="small" icon="mail" name="intent" value="verify">
                Send the link again
              </Button>
            </Form>
          </>
        )}
      </div>
      {pending === null ? null : (
        <Alert title={<span className="wrap-anywhere">Waiting for {pending}</span>}>
          Open the link that we sent to the new address. Your current address stays in use until then.
          {testMode ? <MailboxHint /> : null}
        </Alert>
      )}
      <details className="group" open={problem !== null}>
        <summary className="inline-flex min-h-6 items-center rounded font-medium text-accent text-sm underline underline-offset-3 hover:decoration-2">
          Change e-mail address
        </summary>
        <Form method="post" className="mt-4 grid max-w-md gap-5" noValidate>
          {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
          <TextField
            name="email"
            label="New e-mail address"
            type="email"
            hint="We send a link to it. Open the link to make the change. We also inform your current address."
            autoComplete="email"
            required
            defaultValue={problem?.values.email}
            error={errorOf(problem?.fields, "email")}
          />
          <PasswordField
            name="current_password"
            label="Current password"
            autoComplete="current-password"
            required
            error={errorOf(problem?.fields, "current_password")}
          />
          <SecondProofField asks={asks} error={errorOf(problem?.fields, "code")} next="/account" />
          <div>
            <SubmitButton name="intent" value="email" variant="secondary" pendingLabel="Sending…">
              Send link
            </SubmitButton>
          </div>
        </Form>
      </details>
    </div>
  </Card>
);

const MailboxHint = () => (
  <>
    {" "}
    In test mode mail is kept in the{" "}
    <Link to="/test-mode/mailbox" className="text-accent underline underline-offset-3">
      test mailbox
    </Link>
    .
  </>
);
