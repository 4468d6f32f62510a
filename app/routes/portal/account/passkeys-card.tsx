import { Form, useNavigation, useSubmit } from "@remix-run/react";
import { useRef } from "react";
import { Badge } from "#app/portal/components/badge.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PasskeyButton } from "#app/portal/components/passkey-button.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";
import { formatDay } from "#app/portal/format.ts";

export type PasskeyRow = {
  id: number;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  isSynced: boolean;
};

type Props = {
  passkeys: readonly PasskeyRow[];
  /** Proposed for a new one. */
  name: string;
  /** Removing the last passkey turns two-factor sign-in off. */
  hasApp: boolean;
  /** Why a form of this card was rejected. */
  problem: FormProblem | null;
};

/** The account's passkeys, and the forms to add, rename and remove them. */
export const PasskeysCard = ({ passkeys, name, hasApp, problem }: Props) => (
  <Card
    id="passkeys"
    title="Passkeys"
    description="Sign in with your fingerprint, your face, a PIN or a security key, without password and code."
    flush
  >
    {passkeys.length > 0 ? (
      <Table
        caption="Passkeys"
        columns={columnsOf(passkeys.length === 1 && !hasApp, problem)}
        rows={passkeys}
        rowKey={({ id }) => id}
      />
    ) : null}
    <AddPasskey
      name={name}
      problem={problem?.intent === "passkey-add" ? problem : null}
      isFirst={passkeys.length === 0}
    />
  </Card>
);

const AddPasskey = ({ name, problem, isFirst }: { name: string; problem: FormProblem | null; isFirst: boolean }) => {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const isSent = useNavigation().formData?.get("intent") === "passkey-add";
  const add = (passkey: string) => {
    const entered = new FormData(form.current ?? undefined);
    entered.set("intent", "passkey-add");
    entered.set("passkey", passkey);
    submit(entered, { method: "post", preventScrollReset: true });
  };
  return (
    <div className={`px-5 py-4 ${isFirst ? "" : "border-line border-t"}`}>
      <div className="grid max-w-md gap-4">
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        {/* Enter must not send it: the button asks the browser for the passkey first. */}
        <form ref={form} onSubmit={(event) => event.preventDefault()} className="noscript:hidden">
          <TextField
            name="name"
            id="passkey-name"
            label="Name"
            hint="So that you recognise it in this list."
            autoComplete="off"
            required
            defaultValue={problem?.values.name ?? name}
            error={errorOf(problem?.fields, "name")}
          />
        </form>
        <PasskeyButton
          ask="passkey-options"
          onAnswer={add}
          pending={isSent}
          otherwise="Use an authenticator app for two-factor sign-in."
          variant="secondary"
        >
          Add a passkey
        </PasskeyButton>
      </div>
    </div>
  );
};

const Day = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {formatDay(at)}
  </time>
);

const columnsOf = (isLastFactor: boolean, problem: FormProblem | null): Column<PasskeyRow>[] => [
  {
    key: "name",
    header: "Name",
    primary: true,
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere">{row.name}</span>
        <Badge>{row.isSynced ? "Synced" : "On one device"}</Badge>
      </span>
    ),
  },
  { key: "added", header: "Added", cell: (row) => <Day at={row.createdAt} /> },
  {
    key: "used",
    header: "Last used",
    cell: (row) => (row.lastUsedAt ? <Day at={row.lastUsedAt} /> : <span className="text-muted">Never</span>),
  },
  {
    key: "actions",
    header: "Actions",
    quietHeader: true,
    align: "end",
    cell: (row) => (
      <div className="flex flex-wrap items-start justify-end gap-x-4 gap-y-2 max-sm:w-full max-sm:justify-between">
        <RenamePasskey {...row} problem={problem} />
        <Confirmation
          id={`remove-passkey-${row.id}`}
          label="Remove"
          name={`Remove ${row.name}`}
          size="small"
          title={`Remove “${row.name}”?`}
          intent="passkey-remove"
          fields={{ id: row.id }}
          confirm="Remove passkey"
          pendingLabel="Removing…"
        >
          It no longer signs in here. You can then delete it on your device as well.
          {isLastFactor ? " It is your only second factor: your password alone will sign in." : null}
        </Confirmation>
      </div>
    ),
  },
];

const RenamePasskey = ({ id, name, problem }: PasskeyRow & { problem: FormProblem | null }) => {
  const own = problem?.intent === "passkey-rename" && problem.values.id === String(id) ? problem : null;
  return (
    <details open={own !== null} className="text-left">
      <summary className="inline-flex min-h-8 items-center rounded font-medium text-accent underline underline-offset-3 hover:decoration-2">
        Rename<span className="sr-only"> {name}</span>
      </summary>
      <Form method="post" className="mt-2 grid w-56 max-w-full gap-3" noValidate preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <TextField
          name="name"
          id={`passkey-name-${id}`}
          label="New name"
          autoComplete="off"
          required
          defaultValue={own?.values.name ?? name}
          error={errorOf(own?.fields, "name")}
        />
        <div>
          <SubmitButton name="intent" value="passkey-rename" variant="secondary" size="small" pendingLabel="Saving…">
            Save
          </SubmitButton>
        </div>
      </Form>
    </details>
  );
};
