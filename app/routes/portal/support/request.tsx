import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { closeRequest, getConversation, reply } from "#app/domain/support/ask.server.ts";
import { messageBody, textLimits } from "#app/domain/support/request.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Conversation } from "#app/portal/components/conversation.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { SupportBadge, topicWords } from "#app/portal/components/support-badge.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatInstant, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.subject} · ` : ""}Support · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const { request, messages } = await orErrorResponse(
    getConversation(ctx, caller, { id: idOf(args.params.request_id) }),
  );
  return {
    ...request,
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
    messages: messages.map((message) => ({ ...message, createdAt: message.createdAt.toISOString() })),
    email: caller.account.email,
    maxLength: textLimits.message,
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    reply: memberForm(z.object({ message: messageBody }), async ({ ctx, caller, params }, { message }) => {
      const id = idOf(params.request_id);
      const { messageId } = await reply(ctx, caller, { id, message });
      throw redirect(`/support/${id}#message-${messageId}`);
    }),
    close: memberForm(z.object({}), async ({ ctx, caller, params }) => {
      const id = idOf(params.request_id);
      await closeRequest(ctx, caller, { id });
      throw redirect(`/support/${id}`);
    }),
  })(args);

const Request = () => {
  const request = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title={<span className="break-words">{request.subject}</span>}
        breadcrumbs={[{ label: "Support", to: "/support" }]}
        badge={<SupportBadge status={request.status} reader="holder" />}
        description={`Request ${request.id}, ${topicWords[request.topic]}`}
        actions={request.status === "closed" ? undefined : <Close />}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid gap-6">
          <Conversation messages={request.messages} reader="holder" />
          <Reply key={request.messages.length} />
        </div>
        <div className="grid gap-4">
          <Status />
          <Card title="About this request">
            <DescriptionList
              facts={[
                { term: "Number", description: request.id },
                { term: "Topic", description: topicWords[request.topic] },
                ...(request.requestedPlan === null
                  ? []
                  : [{ term: "Requested plan", description: formatWord(request.requestedPlan) }]),
                { term: "Sent", description: formatInstant(request.createdAt) },
                { term: "Updated", description: formatInstant(request.updatedAt) },
              ]}
            />
            {request.topic === "plan" ? (
              <p className="mt-3 text-sm">
                <Link to="/plan" className="link">
                  Your plan and its limits
                </Link>
              </p>
            ) : null}
          </Card>
        </div>
      </div>
    </div>
  );
};

export default Request;

const Status = () => {
  const { status, email } = useLoaderData<typeof loader>();
  if (status === "open") {
    return (
      <Alert tone="info" title="We have your request">
        We reply to <span className="break-all">{email}</span> and here.
      </Alert>
    );
  }
  return status === "answered" ? (
    <Alert tone="success" title="We have replied">
      Reply if you need more help. If your question is resolved, close the request.
    </Alert>
  ) : (
    <Alert tone="info" title="This request is closed">
      Reply to reopen it.
    </Alert>
  );
};

const Close = () => (
  <Form method="post" preventScrollReset>
    <SubmitButton name="intent" value="close" variant="secondary" icon="check" pendingLabel="Closing…">
      Close request
    </SubmitButton>
  </Form>
);

const Reply = () => {
  const { status, maxLength } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Card title={status === "closed" ? "Reply and reopen" : "Reply"}>
      <Form method="post" className="grid gap-4" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <TextAreaField
          name="message"
          label="Message"
          required
          rows={5}
          maxLength={maxLength}
          defaultValue={problem?.values.message}
          error={errorOf(problem?.fields, "message")}
        />
        <div>
          <SubmitButton name="intent" value="reply" pendingLabel="Sending…">
            Send reply
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};
