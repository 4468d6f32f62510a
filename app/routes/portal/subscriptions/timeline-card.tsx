import { firstReminderInWords } from "#app/domain/subscriptions/wording.ts";
import { Card } from "#app/portal/components/card.tsx";
import { Icon, type IconName } from "#app/portal/components/icon.tsx";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import type { Step } from "./timeline.ts";

export const Timeline = ({ steps }: { steps: readonly Step[] }) => (
  <Card title="Paid, and what happens next">
    <ol className="grid">
      {steps.map((step, i) => {
        const { icon, title, detail } = wordsOf(step);
        return (
          <li
            key={step.what === "paid" ? step.id : `${step.what} ${step.on}`}
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
                  {step.isPast ? "" : "On "}
                  {formatDay(step.on)}
                </time>
              </p>
              {detail ? <p className="text-[0.8125rem] text-muted">{detail}</p> : null}
            </div>
          </li>
        );
      })}
    </ol>
  </Card>
);

const wordsOf = (step: Step): { icon: IconName; title: string; detail?: string } => {
  if (step.what === "paid") {
    return {
      icon: "check",
      title: `${formatWord(step.term)} paid, ${formatMoney(step.amountCents)}`,
      detail: `Until ${formatDay(step.until)}`,
    };
  }
  if (step.what === "charge") {
    return {
      icon: "card",
      title: `${formatMoney(step.amountCents)} charged for ${formatWord(step.term).toLowerCase()}`,
      detail: `By itself. The price is fixed ${firstReminderInWords} the end.`,
    };
  }
  if (step.what === "reminder") return { icon: "mail", title: "A reminder by e-mail" };
  return step.isPast
    ? { icon: "lock", title: "Access ended" }
    : { icon: "lock", title: "Access ends", detail: "Nothing is charged. Renewing restores it at any time." };
};
