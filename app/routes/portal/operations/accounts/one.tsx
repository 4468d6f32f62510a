import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getAccountProfile } from "../../../../domain/operations/find-accounts.server.ts";
import { signOutEverywhere } from "../../../../domain/operations/sign-out.server.ts";
import { Alert } from "../../../../portal/components/alert.tsx";
import { Card } from "../../../../portal/components/card.tsx";
import { DescriptionList } from "../../../../portal/components/description-list.tsx";
import { FormError } from "../../../../portal/components/form-error.tsx";
import { PageHeader } from "../../../../portal/components/page-header.tsx";
import { SubmitButton } from "../../../../portal/components/submit-button.tsx";
import { formAction, operatorForm } from "../../../../portal/form-action.server.ts";
import { formatCount, formatDay, formatNumber, formatWord } from "../../../../portal/format.ts";
import { found } from "../../../../portal/found.server.ts";
import { idOf } from "../../../../portal/params.ts";
import { visitOfOperator } from "../../../../portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.username ?? "Account"} · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const profile = await found(getAccountProfile(ctx, caller, { id: idOf(args.params.account_id) }));
  return {
    id: profile.id,
    username: profile.username,
    email: profile.email,
    plan: profile.plan,
    standing: profile.standing,
    openSessions: profile.openSessions,
    createdAt: profile.createdAt.toISOString(),
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction<{ message: string }>({
    "sign-out": operatorForm(z.object({}), async ({ ctx, caller, params }) => {
      const { endedSessions } = await signOutEverywhere(ctx, caller, { accountId: idOf(params.account_id) });
      return { message: `${formatCount(endedSessions, "session")} signed out.` };
    }),
  })(args);

const Account = () => {
  const account = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="grid gap-6">
      <PageHeader breadcrumbs={[{ label: "Accounts", to: "/operations/accounts" }]} title={account.username} />
      {answer?.result ? (
        <Alert tone="success" live>
          {answer.result.message}
        </Alert>
      ) : null}
      {answer?.problem ? <FormError message={answer.problem.message} /> : null}
      <Card title="Profile">
        <DescriptionList
          facts={[
            { term: "Number", description: account.id },
            { term: "E-mail", description: <span className="break-all">{account.email}</span> },
            { term: "Plan", description: formatWord(account.plan) },
            { term: "Standing", description: formatWord(account.standing) },
            { term: "Member since", description: formatDay(account.createdAt) },
            { term: "Sessions", description: formatNumber(account.openSessions) },
          ]}
        />
      </Card>
      <Card title="Sessions" description="API keys go on working.">
        <Form method="post">
          <SubmitButton name="intent" value="sign-out" variant="secondary" pendingLabel="Signing out…">
            Sign out everywhere
          </SubmitButton>
        </Form>
      </Card>
    </div>
  );
};

export default Account;
