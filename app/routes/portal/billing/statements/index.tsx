import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { setStatementsByMail, wantsStatements } from "#app/domain/accounts/statement-setting.server.ts";
import { listStatements } from "#app/domain/payments/statements.server.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatMoney } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { monthInWords } from "#app/portal/statement-view.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Statements · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [statements, byMail] = await Promise.all([listStatements(ctx, caller), wantsStatements(ctx, caller)]);
  return { statements, byMail };
};

export const action = (args: ActionFunctionArgs) =>
  formAction<null>({
    "by-mail": memberForm(z.object({ by_mail: z.literal("on").optional() }), async ({ ctx, caller }, input) => {
      const byMail = input.by_mail === "on";
      await setStatementsByMail(ctx, caller, { byMail });
      const message = byMail
        ? "We will e-mail you each statement after its month."
        : "We no longer e-mail you statements.";
      throw await redirectWithToast("/billing/statements", { message });
    }),
  })(args);

const Statements = () => {
  const { statements, byMail } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Billing", to: "/billing" }]}
        title="Statements"
        description="Invoices, payments and refunds of each month (UTC)."
      />
      <Card title="Months" flush>
        <Table
          caption="Months with a statement, newest first"
          columns={columns}
          rows={statements}
          rowKey={({ month }) => month}
          narrow
          empty={
            <EmptyState icon="card" title="No statements yet">
              Your first statement appears with your first invoice.
            </EmptyState>
          }
        />
      </Card>
      <Card
        title="By e-mail"
        description="On the first day of each month, we send the statement for the previous month."
      >
        <Form method="post" className="flex flex-wrap items-center justify-between gap-4" key={String(byMail)}>
          <CheckboxField name="by_mail" label="E-mail me each statement" defaultChecked={byMail} />
          <SubmitButton name="intent" value="by-mail" variant="secondary" pendingLabel="Saving…">
            Save
          </SubmitButton>
        </Form>
      </Card>
    </div>
  );
};

export default Statements;

type Row = ReturnType<typeof useLoaderData<typeof loader>>["statements"][number];

const columns: Column<Row>[] = [
  {
    key: "month",
    header: "Month",
    primary: true,
    cell: ({ month, isComplete }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link to={`/billing/statements/${month}`} prefetch="intent" className="link whitespace-nowrap">
          {monthInWords(month)}
        </Link>
        {isComplete ? null : <Badge>In progress</Badge>}
      </span>
    ),
  },
  {
    key: "invoiced",
    header: "Invoices",
    align: "end",
    cell: ({ invoicedCents, currency }) => formatMoney(invoicedCents, currency),
  },
  {
    key: "credited",
    header: "Credit notes",
    align: "end",
    cell: ({ creditedCents, currency }) => formatMoney(creditedCents, currency),
  },
];
