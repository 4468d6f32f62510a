import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { z } from "zod";
import { getTestService } from "#app/context.server.ts";
import { portalSessionDays } from "#app/domain/accounts/policy.ts";
import { dayOf, daysBetween } from "#app/domain/dates.ts";
import { moveClock, readMove } from "#app/domain/test-mode/test-clock.server.ts";
import { counted } from "#app/domain/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formAction, openForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatInstant } from "#app/portal/format.ts";

export const meta: MetaFunction = () => [{ title: "Time machine · Shipping Route Data Service" }];

const inTestMode = async (request: Request) => {
  const service = await getTestService(request);
  if (!service) throw new Response("Not found", { status: 404 });
  return service;
};

export const loader = async ({ request }: LoaderFunctionArgs) => {
  const { ctx } = await inTestMode(request);
  const moving = await readMove(ctx);
  return {
    now: ctx.clock.now().toISOString(),
    moving: moving && {
      to: moving.to.toISOString(),
      days: daysBetween(dayOf(moving.from), dayOf(moving.to)),
      done: daysBetween(dayOf(moving.from), dayOf(moving.at)),
    },
  };
};

/** A move that takes longer continues in the background, with a progress bar. */
const timeoutMs = 3_000;

/** A move of the API may be longer. */
const maxAdvanceDays = 400;

const advance = z.object({
  days: z.coerce
    .number()
    .int("Enter a whole number of days")
    .min(1, "At least one day")
    .max(maxAdvanceDays, `At most ${maxAdvanceDays} days at once`),
});

export const action = async (args: ActionFunctionArgs) => {
  const { ctx, testMode } = await inTestMode(args.request);
  return formAction({
    advance: openForm(advance, async (_, { days }) => {
      const { ran, moving } = await moveClock(ctx, testMode.controls, { days }, timeoutMs);
      return { days, ran: moving ? null : ran };
    }),
  })(args);
};

const TimeMachine = () => {
  const { now, moving } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <div className="grid max-w-2xl gap-6">
      <PageHeader
        title="Time machine"
        description="Move the service's clock forward, day by day, and watch reminders, charges and expiry happen. There is no way back."
        actions={<ButtonLink to="/test-mode/mailbox">Test mailbox</ButtonLink>}
      />
      <Card title="The service's clock" description={<time dateTime={now}>{formatInstant(now)}</time>}>
        {moving ? <Progress {...moving} /> : null}
        <Form method="post" className="grid gap-5">
          {actionData?.problem ? (
            <FormError message={actionData.problem.message} fields={actionData.problem.fields} />
          ) : null}
          <TextField
            name="days"
            label="Days forward"
            type="number"
            min={1}
            max={maxAdvanceDays}
            defaultValue={actionData?.problem?.values.days ?? "1"}
            hint={`A session ends ${counted(portalSessionDays, "day")} after it was last used: after a longer move, sign in again.`}
            error={errorOf(actionData?.problem?.fields, "days")}
          />
          <div>
            <SubmitButton name="intent" value="advance" icon="clock" pendingLabel="Moving…">
              Move forward
            </SubmitButton>
          </div>
        </Form>
      </Card>
      {actionData?.result?.ran ? (
        <Alert tone="success" title={`${formatCount(actionData.result.days, "day")} later`} live>
          {summary(actionData.result.ran)}
        </Alert>
      ) : null}
    </div>
  );
};

export default TimeMachine;

const pollIntervalMs = 2_000;

/** Polls until the move is complete. Without scripts, the visitor reloads the page. */
const Progress = ({ to, days, done }: { to: string; days: number; done: number }) => {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(revalidate, pollIntervalMs);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <div className="mb-5 grid gap-2">
      <ProgressBar label="Moving the clock" value={done} max={days} unit="days" calm />
      <p className="text-muted text-sm">
        To <time dateTime={to}>{formatInstant(to)}</time>.<noscript> Reload this page to see how far it is.</noscript>
      </p>
    </div>
  );
};

const summary = (ran: { remindersSent: number; chargesSucceeded: number; chargesDeclined: number; expired: number }) =>
  `${formatCount(ran.remindersSent, "reminder")} sent, ${formatCount(ran.chargesSucceeded, "renewal")} charged, ${ran.chargesDeclined} declined, ${formatCount(ran.expired, "subscription")} expired.`;
