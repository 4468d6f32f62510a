import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { getRefundable } from "#app/domain/operations/account-file.server.ts";
import { refund } from "#app/domain/operations/account-forms.ts";
import { getAccountProfile } from "#app/domain/operations/find-accounts.server.ts";
import { refundInvoice } from "#app/domain/operations/refund.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { type FormProblem, formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatDay, formatMoney } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Refund · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const accountId = idOf(args.params.account_id);
  const [{ username }, { issuedAt, ...invoice }] = await orErrorResponse(
    Promise.all([
      getAccountProfile(ctx, caller, { id: accountId }),
      getRefundable(ctx, caller, { accountId, invoiceId: idOf(args.params.invoice_id) }),
    ]),
  );
  return { accountId, username, invoice: { ...invoice, issuedAt: issuedAt.toISOString() } };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    refund: operatorForm(refund, async ({ ctx, caller, params }, input) => {
      const accountId = idOf(params.account_id);
      const invoiceId = idOf(params.invoice_id);
      const { amount: amountCents, left: leftCents, reason } = input;
      await refundInvoice(ctx, caller, { accountId, invoiceId, amountCents, leftCents, reason });
      throw redirect(`/operations/accounts/${accountId}`);
    }),
  })(args);

const Refund = () => {
  const { accountId, username, invoice } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const back = `/operations/accounts/${accountId}`;
  return (
    <div className="grid max-w-2xl gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Accounts", to: "/operations/accounts" },
          { label: username, to: back },
        ]}
        title={`Refund invoice ${invoice.number}`}
        description={`${formatMoney(invoice.amountCents, invoice.currency)}, issued ${formatDay(invoice.issuedAt)}.`}
      />
      {invoice.refundableCents > 0 ? (
        <RefundForm invoice={invoice} problem={problem ?? null} back={back} />
      ) : (
        <Alert
          tone="info"
          title={invoice.isDisputed ? "The payment is disputed" : "Nothing left to refund"}
          action={
            <ButtonLink to={back} size="small">
              Back to account
            </ButtonLink>
          }
        >
          {invoice.isDisputed
            ? "The bank of the card decides about the payment."
            : "The whole payment has been refunded. See the credit notes of the account."}
        </Alert>
      )}
    </div>
  );
};

export default Refund;

type FormProps = {
  invoice: { refundableCents: number; currency: string };
  problem: FormProblem | null;
  back: string;
};

const RefundForm = ({ invoice, problem, back }: FormProps) => (
  <>
    <Alert tone="warning" title="A refund cannot be undone">
      It goes to the card that paid. The account holder gets a credit note and an e-mail. A refund does not end access.
    </Alert>
    <Card>
      <Form method="post" noValidate className="grid gap-5">
        <input type="hidden" name="left" value={invoice.refundableCents} />
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <TextField
          name="amount"
          label="Amount in USD"
          hint={`At most ${formatMoney(invoice.refundableCents, invoice.currency)}, the rest of the payment`}
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={problem?.values.amount ?? (invoice.refundableCents / 100).toFixed(2)}
          error={errorOf(problem?.fields, "amount")}
        />
        <TextAreaField
          name="reason"
          label="Reason"
          hint="The account holder sees it in the account log"
          rows={3}
          required
          maxLength={500}
          defaultValue={problem?.values.reason}
          error={errorOf(problem?.fields, "reason")}
        />
        <div className="flex flex-wrap gap-2.5">
          <SubmitButton name="intent" value="refund" variant="danger" pendingLabel="Refunding…">
            Refund
          </SubmitButton>
          <ButtonLink to={back}>Back to account</ButtonLink>
        </div>
      </Form>
    </Card>
  </>
);
