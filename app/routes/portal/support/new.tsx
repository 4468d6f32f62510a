import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { openRequest } from "#app/domain/support/ask.server.ts";
import { topics } from "#app/domain/support/enums.ts";
import { newRequest, textLimits } from "#app/domain/support/request.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { topicWords } from "#app/portal/components/support-badge.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "New support request · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { caller } = await visitOfMember(args);
  const query = new URL(args.request.url).searchParams;
  const about = (name: string) => query.get(name)?.slice(0, textLimits.reference - 20) ?? "";
  const requestId = about("request_id");
  const topic = topics.find((each) => each === query.get("topic"));
  return {
    topic: topic ?? (requestId === "" ? "" : "technical"),
    reference: requestId === "" ? about("route") : `Request ID ${requestId}`,
    topics: topics.map((value) => ({ value, label: topicWords[value] })),
    limits: textLimits,
    email: caller.account.email,
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    ask: memberForm(newRequest, async ({ ctx, caller }, input) => {
      const { id } = await openRequest(ctx, caller, input);
      throw redirect(`/support/${id}`);
    }),
  })(args);

const NewRequest = () => {
  const { topic, topics, reference, limits, email } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const entered = problem?.values;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="New support request"
        breadcrumbs={[{ label: "Support", to: "/support" }]}
        description={`We reply by e-mail to ${email}, and on the page of the request.`}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Card>
          <Form method="post" className="grid gap-5" noValidate>
            {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
            <SelectField
              name="topic"
              label="Topic"
              required
              defaultValue={entered?.topic ?? topic}
              options={[{ value: "", label: "Choose a topic", disabled: true }, ...topics]}
              error={errorOf(problem?.fields, "topic")}
            />
            <TextField
              name="subject"
              label="Subject"
              hint="In a few words."
              required
              maxLength={limits.subject}
              defaultValue={entered?.subject}
              error={errorOf(problem?.fields, "subject")}
            />
            <TextAreaField
              name="message"
              label="Message"
              hint="What you did, what you expected and what happened."
              required
              rows={9}
              maxLength={limits.message}
              defaultValue={entered?.message}
              error={errorOf(problem?.fields, "message")}
            />
            <TextField
              name="reference"
              label="Reference"
              optional
              hint="A request ID, route code or invoice number."
              maxLength={limits.reference}
              defaultValue={entered?.reference ?? reference}
              error={errorOf(problem?.fields, "reference")}
            />
            <div className="flex flex-wrap gap-2.5">
              <SubmitButton name="intent" value="ask" pendingLabel="Sending…">
                Send request
              </SubmitButton>
              <ButtonLink to="/support" variant="quiet">
                Cancel
              </ButtonLink>
            </div>
          </Form>
        </Card>
        <Advice />
      </div>
    </div>
  );
};

export default NewRequest;

const Advice = () => (
  <div className="grid gap-4">
    <Card title="What to include">
      <ul className="grid list-disc gap-1.5 pl-4.5 text-sm leading-5.5">
        <li>
          The <strong className="font-semibold">request ID</strong>, from the error or its{" "}
          <code className="whitespace-nowrap font-mono">X-Request-Id</code> header. It identifies the exact request.
        </li>
        <li>The route code, the time, and whether it happens every time.</li>
        <li>
          For higher limits, request another plan on{" "}
          <Link to="/plan" className="link">
            Plan and limits
          </Link>
          .
        </li>
      </ul>
    </Card>
    <Alert tone="warning" title="Do not send secrets">
      We never need passwords, API keys or card numbers. The first characters of a key are enough.
    </Alert>
  </div>
);
