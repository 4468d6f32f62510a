import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { firstReminderInWords } from "#app/domain/subscriptions/wording.ts";
import { Card } from "#app/portal/components/card.tsx";
import { Icon, type IconName } from "#app/portal/components/icon.tsx";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import type { Step } from "./timeline.ts";

export const Timeline = ({ steps }: { steps: readonly Step[] }) => (
  <Card title="Timeline" description="Terms and payments so far, and what comes next.">
    <ol className="grid">
      {steps.map((step, i) => {
        const { icon, title, detail } = wordsOf(step);
        return (
          <li
            key={step.what === "payment" ? step.id : `${step.what} ${step.on}`}
            className="grid grid-cols-[2rem_1fr] gap-x-3"
          >
            <span className="flex flex-col items-center" aria-hidden="true">
              <span
                className={`grid size-8 place-items-center rounded-full border ${step.isPast ? "border-transparent bg-accent-soft text-accent" : "border-line-strong border-dashed text-muted"}`}
              >
                <Icon name={icon} className="size-4" />
              </span>
              {i < steps.length - 1 ? <span className="w-px flex-1 bg-line" /> : null}
            </span>
            <div className={`pt-1 text-sm ${i < steps.length - 1 ? "pb-5" : ""}`}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-medium text-ink">{title}</span>
                <time dateTime={step.on} className="text-muted">
                  {formatDay(step.on)}
                </time>
              </p>
              {detail ? <p className="text-[0.8125rem] text-muted leading-5">{detail}</p> : null}
            </div>
          </li>
        );
      })}
    </ol>
  </Card>
);

const wordsOf = (step: Step): { icon: IconName; title: string; detail?: ReactNode } => {
  switch (step.what) {
    case "payment":
      return { icon: "check", title: `Paid ${formatMoney(step.amountCents)}`, detail: <PaidTerm {...step} /> };
    case "failed_charge":
      return { icon: "alert-triangle", title: "Payment failed", detail: step.message };
    case "cancellation":
      return { icon: "x", title: "Cancelled" };
    case "reminder":
      return { icon: "mail", title: "Reminder by e-mail" };
    case "charge":
      return {
        icon: "card",
        title: `${step.isRetry ? "Next attempt to charge" : "Charge of"} ${formatMoney(step.amountCents)}`,
        detail: `Auto-renewal for ${formatWord(step.term).toLowerCase()}.${step.isAnnounced ? "" : ` The price is fixed ${firstReminderInWords} the term ends.`}`,
      };
    case "next_term":
      return {
        icon: "refresh",
        title: "Next term starts",
        detail: `If the payment fails, your last day with access is ${formatDay(step.lastDay)}.`,
      };
    case "end":
      return step.isPast
        ? { icon: "lock", title: "Access ended", detail: `Your last day with access was ${formatDay(step.lastDay)}.` }
        : {
            icon: "lock",
            title: "Access ends, 00:00 UTC",
            detail: `Your last day with access is ${formatDay(step.lastDay)}. We charge nothing.`,
          };
  }
};

const PaidTerm = ({ term, firstDay, lastDay, invoice, endedOn }: Extract<Step, { what: "payment" }>) => (
  <>
    {formatWord(term)}: {formatDay(firstDay)} – {formatDay(lastDay)}
    {invoice ? (
      <>
        {" · "}
        <Link to={`/billing/${invoice.id}`} prefetch="intent" className="link whitespace-nowrap">
          Invoice {invoice.number}
        </Link>
      </>
    ) : null}
    {endedOn ? (
      <span className="block">The bank returned the payment, which ended the term on {formatDay(endedOn)}.</span>
    ) : null}
  </>
);
