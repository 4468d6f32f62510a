import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { answer, closeAsOperator, readRequest } from "#app/domain/support/answer.server.ts";
import { messageBody, textLimits } from "#app/domain/support/request.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Conversation } from "#app/portal/components/conversation.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { StandingBadge } from "#app/portal/components/standing-badge.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { SupportBadge, topicWords } from "#app/portal/components/support-badge.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatDay, formatInstant, formatNumber, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.request.subject} · ` : ""}Support · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const { request, account, messages } = await orErrorResponse(
    readRequest(ctx, caller, { id: idOf(args.params.request_id) }),
  );
  return {
    request: {
      ...request,
      createdAt: request.createdAt.toISOString(),
      updatedAt: request.updatedAt.toISOString(),
    },
    account: {
      ...account,
      createdAt: account.createdAt.toISOString(),
      closedAt: account.closedAt?.toISOString() ?? null,
    },
    messages: messages.map((message) => ({ ...message, createdAt: message.createdAt.toISOString() })),
    longest: textLimits.message,
  };
};

const read = z.object({ last_message_id: z.coerce.number().int().min(0) });
const written = read.extend({ message: messageBody });

export const action = (args: ActionFunctionArgs) =>
  formAction({
    answer: operatorForm(written, async ({ ctx, caller, params }, input) => {
      const id = idOf(params.request_id);
      const { message, last_message_id: lastMessageId } = input;
      const { messageId } = await answer(ctx, caller, { id, message, lastMessageId, close: false });
      throw redirect(`/operations/support/${id}#message-${messageId}`);
    }),
    "answer-and-close": operatorForm(written, async ({ ctx, caller, params }, input) => {
      const id = idOf(params.request_id);
      const { message, last_message_id: lastMessageId } = input;
      const { messageId } = await answer(ctx, caller, { id, message, lastMessageId, close: true });
      throw redirect(`/operations/support/${id}#message-${messageId}`);
    }),
    close: operatorForm(read, async ({ ctx, caller, params }, { last_message_id: lastMessageId }) => {
      const id = idOf(params.request_id);
      await closeAsOperator(ctx, caller, { id, lastMessageId });
      throw redirect(`/operations/support/${id}`);
    }),
  })(args);

const Request = () => {
  const { request, messages } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={<span className="break-words">{request.subject}</span>}
        breadcrumbs={[{ label: "Support", to: "/operations/support" }]}
        badge={<SupportBadge status={request.status} reader="operator" />}
        description={`Request ${request.id}, ${topicWords[request.topic]}, asked ${formatInstant(request.createdAt)}`}
        actions={
          request.status === "closed" ? undefined : (
            <Form method="post" preventScrollReset>
              <LastRead />
              <SubmitButton name="intent" value="close" variant="secondary" icon="check" pendingLabel="Closing…">
                {request.status === "open" ? "Close without reply" : "Close request"}
              </SubmitButton>
            </Form>
          )
        }
      />
      {problem?.intent === "close" ? <FormError message={problem.message} /> : null}
      {request.topic === "plan" && request.status !== "closed" ? <PlanWish /> : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid gap-6">
          <Conversation messages={messages} reader="operator" />
          <Answer key={messages.length} />
        </div>
        <Asker />
      </div>
    </div>
  );
};

export default Request;

const PlanWish = () => {
  const { request, account } = useLoaderData<typeof loader>();
  const hasIt = request.requestedPlan === account.plan;
  return (
    <Alert
      tone={hasIt ? "info" : "warning"}
      title={
        request.requestedPlan === null
          ? "Asks about the plan"
          : hasIt
            ? `Asks about the ${account.plan} plan, which the account has`
            : `Asks for the ${request.requestedPlan} plan, has the ${account.plan} plan`
      }
      action={
        <ButtonLink to={`/operations/accounts/${account.id}${hasIt ? "" : "#act-plan"}`} size="small">
          {hasIt ? "Open account" : "Change plan"}
        </ButtonLink>
      }
    >
      {hasIt ? "Reply, then close the request." : "Change the plan first, then reply here."}
    </Alert>
  );
};

const Asker = () => {
  const { account } = useLoaderData<typeof loader>();
  return (
    <Card
      title="Account"
      footer={
        <ButtonLink to={`/operations/accounts/${account.id}`} size="small" icon="user">
          Open the account
        </ButtonLink>
      }
    >
      <DescriptionList
        facts={[
          { term: "Username", description: <span className="break-all">{account.username}</span> },
          { term: "E-mail", description: <span className="break-all">{account.email}</span> },
          { term: "Number", description: account.id },
          { term: "Plan", description: formatWord(account.plan) },
          ...(account.customHourlyLimit === null
            ? []
            : [{ term: "Agreed limit", description: `${formatNumber(account.customHourlyLimit)} an hour` }]),
          {
            term: "Standing",
            description: <StandingBadge standing={account.standing} isClosed={account.closedAt !== null} />,
          },
          { term: "Member since", description: formatDay(account.createdAt) },
        ]}
      />
    </Card>
  );
};

const Answer = () => {
  const { request, account, longest } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>()?.problem;
  const problem = answered?.intent === "close" ? null : answered;
  return (
    <Card
      title={request.status === "open" ? "Reply" : "Reply again"}
      description={`${account.username} gets it here and by e-mail.`}
    >
      <Form method="post" className="grid gap-4" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <LastRead />
        <TextAreaField
          name="message"
          label="Message"
          required
          rows={8}
          maxLength={longest}
          defaultValue={problem?.values.message}
          error={errorOf(problem?.fields, "message")}
        />
        <div className="flex flex-wrap gap-2.5">
          <SubmitButton name="intent" value="answer" pendingLabel="Sending…">
            Send reply
          </SubmitButton>
          <SubmitButton name="intent" value="answer-and-close" variant="secondary" pendingLabel="Sending…">
            Reply and close
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

/** Sends the last message that the operator saw, so that an answer does not pass over a newer one. */
const LastRead = () => {
  const { messages } = useLoaderData<typeof loader>();
  return <input type="hidden" name="last_message_id" value={messages.at(-1)?.id ?? 0} />;
};
