import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import type { GetStartedData } from "./get-started.server.ts";

/** The first three steps of a new account. */
export const GetStarted = ({ sample, done }: GetStartedData) => {
  const next = sample && !done.openedSample ? 1 : done.subscribed ? 3 : 2;
  return (
    <Card title="Get started" flush>
      <ol className="divide-y divide-line">
        {sample ? (
          <Step
            number={1}
            isDone={done.openedSample}
            title="Explore a sample route"
            action={
              // A form rather than a link, because opening it ticks the step.
              <Form method="post" action="/?index">
                <input type="hidden" name="intent" value="open_sample" />
                <input type="hidden" name="route_id" value={sample.id} />
                <Button size="small" variant={next === 1 ? "primary" : "secondary"}>
                  View sample
                </Button>
              </Form>
            }
          >
            {sample.name}, {sample.carrier}. See its schedules, rates, surcharges and space available without a
            subscription.
          </Step>
        ) : null}
        <Step
          number={2}
          isDone={done.subscribed}
          title="Subscribe to a route"
          action={
            <ButtonLink to="/routes" size="small" variant={next === 2 ? "primary" : "secondary"}>
              Browse routes
            </ButtonLink>
          }
        >
          Terms start at 1 month. You get access at once, here and by API.
        </Step>
        <Step
          number={3}
          isDone={done.called}
          title="Send your first API request"
          action={
            <ButtonLink to="/api-keys" size="small" variant={next === 3 ? "primary" : "secondary"}>
              Create API key
            </ButtonLink>
          }
        >
          One request with two headers returns a route as JSON. When you create a key, you get the command to copy.
        </Step>
      </ol>
    </Card>
  );
};

type StepProps = { number: number; isDone: boolean; title: string; action: ReactNode; children: ReactNode };

const Step = ({ number, isDone, title, action, children }: StepProps) => (
  <li className="flex gap-4 px-5 py-4 text-sm">
    {isDone ? (
      <Icon name="check-circle" className="size-7 text-success" />
    ) : (
      <span
        className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent"
        aria-hidden="true"
      >
        {number}
      </span>
    )}
    <div className="min-w-0 flex-1">
      <h3 className="font-semibold text-ink leading-7">
        {title}
        {isDone ? <span className="font-normal text-muted">, done</span> : null}
      </h3>
      {isDone ? null : (
        <>
          <p className="text-muted leading-5.5">{children}</p>
          <div className="mt-2.5">{action}</div>
        </>
      )}
    </div>
  </li>
);
