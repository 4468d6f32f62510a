import { Form, Link, useSubmit } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { type Day, lastDayOf } from "#app/domain/dates.ts";
import type { Term } from "#app/domain/pricing/discounts.ts";
import { priceChangeInWords } from "#app/domain/pricing/renewal-price.ts";
import type { Subscription } from "#app/domain/subscriptions/subscription.ts";
import type { TermOffer } from "#app/domain/subscriptions/term-offers.server.ts";
import { firstReminderInWords } from "#app/domain/subscriptions/wording.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonFace } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { ListPrice } from "#app/portal/components/price.tsx";
import { RadioCards } from "#app/portal/components/radio-cards.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import type { PriceView } from "#app/portal/price-view.ts";

type Props = {
  subscription: Pick<
    Subscription,
    "routeName" | "status" | "term" | "endDate" | "autoRenew" | "renewalTerm" | "nextCharge"
  > & { renewal: Pick<Subscription["renewal"], "needsCard" | "amountCents" | "priceChange"> };
  /** Empty when nothing is on sale. */
  offers: readonly (Omit<TermOffer, "price"> & { price: PriceView })[];
  isPastDue: boolean;
  /** Prices do not include tax yet. */
  beforeTax: boolean;
  /** The form that was rejected. Its act is open. */
  rejected: string | undefined;
};

/** All that the account holder can do with a subscription: each act once, with its consequences beside it. */
export const ManageCard = (props: Props) => {
  const { status } = props.subscription;
  if (status === "expired") {
    return (
      <Card
        title="Renew"
        description={props.offers.length > 0 ? "You get access as soon as you have paid." : notOnSale}
      >
        {props.offers.length > 0 ? <RenewalForm {...props} isPrimary /> : null}
      </Card>
    );
  }
  return (
    <Card title="Manage subscription" flush>
      <div className="divide-y divide-line">
        {status === "cancelled" ? (
          <>
            <Resume {...props} />
            <RenewNow {...props} />
          </>
        ) : (
          <>
            <RenewNow {...props} />
            <ChangeTerm {...props} />
            <AutoRenewal {...props} />
            <Cancel {...props} />
          </>
        )}
      </div>
    </Card>
  );
};

const notOnSale = "This route has no period on sale at the moment.";

const RenewNow = (props: Props) => {
  const { subscription, offers, isPastDue, rejected } = props;
  const { status, endDate, nextCharge } = subscription;
  if (offers.length === 0) return <Act title="Renew now" consequence={notOnSale} />;
  const isPrimary = status !== "cancelled" && !isPastDue;
  const follows =
    status === "cancelled"
      ? "This undoes the cancellation; auto-renewal stays off."
      : nextCharge
        ? `The charge on ${formatDay(nextCharge.date)} moves to the end of the new term.`
        : "";
  return (
    <OpenableAct
      title="Renew now"
      consequence={`Pay for another term today. It starts when your current term ends, on ${formatDay(endDate)}. ${follows}`}
      label="Choose term"
      isPrimary={isPrimary}
      isOpen={rejected === "renew" || (isPrimary && status === "expiring_soon" && nextCharge === null)}
    >
      <RenewalForm {...props} isPrimary={isPrimary} />
    </OpenableAct>
  );
};

const RenewalForm = ({ subscription, offers, beforeTax, isPrimary }: Props & { isPrimary: boolean }) => (
  <Form method="post" className="grid gap-5">
    <RadioCards
      name="term"
      label="Term"
      defaultValue={subscription.renewalTerm}
      options={offers.map((offer) => ({
        value: offer.term,
        title: formatWord(offer.term),
        detail: [lastDayInWords(offer.renewal.until), offer.price.reason].filter(Boolean).join(" · "),
        aside: (
          <span className="grid">
            <ListPrice {...offer.price} />
            {formatMoney(offer.renewal.totalCents)}
          </span>
        ),
        badge: offer.term === "12_months" ? <Badge tone="accent">Lowest price per month</Badge> : undefined,
      }))}
    />
    <ContinueToPayment intent="renew" isPrimary={isPrimary} />
    {beforeTax ? <p className="text-[0.8125rem] text-muted">Prices exclude tax. Checkout adds it.</p> : null}
  </Form>
);

const ContinueToPayment = ({ intent, isPrimary }: { intent: string; isPrimary: boolean }) => (
  <div>
    <SubmitButton
      name="intent"
      value={intent}
      variant={isPrimary ? "primary" : "secondary"}
      pendingLabel="Locking the price…"
    >
      Continue to payment
    </SubmitButton>
  </div>
);

const ChangeTerm = (props: Props) => {
  const { subscription, offers, rejected } = props;
  const { autoRenew, renewalTerm } = subscription;
  const changes = offers.flatMap(({ term, change }) => (change ? [{ term, ...change }] : []));
  if (offers.length === 0) return <Act title="Change term" consequence={notOnSale} />;
  return (
    <OpenableAct
      title="Change term"
      consequence={
        autoRenew
          ? `Your term is ${formatWord(subscription.term)}, and it renews for ${formatWord(renewalTerm)}. Choose another term from the next renewal or from today.`
          : `Your term is ${formatWord(subscription.term)}. Replace it with another term from today.`
      }
      label="Change"
      isOpen={rejected === "change-term" || rejected === "renewal-term"}
    >
      <div className="grid gap-6">
        {autoRenew ? <FromNextRenewal {...props} /> : null}
        <FromToday changes={changes} />
      </div>
    </OpenableAct>
  );
};

const FromNextRenewal = ({ subscription, offers }: Props) => (
  <Form method="post" className="grid gap-3" preventScrollReset>
    <h4 className="font-medium text-ink text-sm">From the next renewal</h4>
    <div className="flex flex-wrap items-end gap-3">
      <div className="min-w-56 flex-1 sm:max-w-72">
        <SelectField
          name="renewal_term"
          label="Renew for"
          defaultValue={subscription.renewalTerm}
          options={offers.map(({ term, nextCharge }) => ({
            value: term,
            label: nextCharge ? `${formatWord(term)}, ${formatMoney(nextCharge.amountCents)}` : formatWord(term),
          }))}
        />
      </div>
      <SubmitButton name="intent" value="renewal-term" variant="secondary" pendingLabel="Saving…">
        Save term
      </SubmitButton>
    </div>
    <p className="text-[0.8125rem] text-muted leading-5">
      You pay nothing today.
      {subscription.nextCharge ? ` We charge the new price on ${formatDay(subscription.nextCharge.date)}.` : ""}
    </p>
  </Form>
);

type Change = NonNullable<TermOffer["change"]> & { term: Term };

const FromToday = ({ changes }: { changes: readonly Change[] }) => {
  const [first] = changes;
  return (
    <Form method="post" className="grid gap-3">
      <h4 className="font-medium text-ink text-sm">From today</h4>
      <p className="text-[0.8125rem] text-muted leading-5">
        {first
          ? `A new term starts today and replaces the current one. We deduct your unused days, worth ${formatMoney(first.creditCents)} at the price you paid.`
          : "Your unused days are worth more than any other term costs, so you cannot change the term today."}
      </p>
      {first ? (
        <>
          <RadioCards
            id="new-term"
            name="term"
            label="New term"
            defaultValue={first.term}
            options={changes.map((change) => ({
              value: change.term,
              title: formatWord(change.term),
              detail: (
                <span className="flex flex-wrap gap-x-3 tabular-nums">
                  <span>{lastDayInWords(change.until)}</span>
                  <span className="whitespace-nowrap">
                    {formatMoney(change.totalCents)} − {formatMoney(change.creditCents)} credit
                    {change.taxCents > 0 ? ` + ${formatMoney(change.taxCents)} tax` : null}
                  </span>
                </span>
              ),
              aside: formatMoney(change.amountCents),
            }))}
          />
          <ContinueToPayment intent="change-term" isPrimary={false} />
        </>
      ) : null}
    </Form>
  );
};

/** Saves on every change; without scripts, by its button. An error restores the saved value. */
const AutoRenewal = (props: Props) => {
  const { subscription } = props;
  const [isOn, setIsOn] = useState(subscription.autoRenew);
  useEffect(() => setIsOn(subscription.autoRenew), [subscription]);
  const submit = useSubmit();
  return (
    <Act title="Auto-renewal" consequence={<AutoRenewalInWords {...props} />}>
      <Form
        method="post"
        className="flex flex-wrap items-center gap-4"
        onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
      >
        <input type="hidden" name="intent" value="auto-renew" />
        <CheckboxField
          name="auto_renew"
          label="Renew automatically"
          checked={isOn}
          onChange={({ target }) => setIsOn(target.checked)}
        />
        <noscript>
          <Button>Save</Button>
        </noscript>
      </Form>
    </Act>
  );
};

/** What auto-renewal will charge, or what happens without it. */
const AutoRenewalInWords = ({ subscription, offers, isPastDue }: Props) => {
  const { status, autoRenew, renewalTerm, endDate, nextCharge, renewal } = subscription;
  const forTerm = `for ${formatWord(renewalTerm).toLowerCase()}`;
  if (autoRenew && nextCharge) {
    return (
      <>
        On. We charge {formatMoney(nextCharge.amountCents)} on {formatDay(nextCharge.date)} {forTerm}
        {status === "active" ? `, and e-mail you the final price ${firstReminderInWords} the term ends` : null}.{" "}
        <PriceChange {...subscription} />
      </>
    );
  }
  if (autoRenew && renewal.needsCard) {
    return (
      <>
        On, but no card is chosen for renewals.{" "}
        <Link to="/billing/cards" className="link">
          Choose a card
        </Link>
        , or your last day with access is {lastDayOfTerm(endDate)}.
      </>
    );
  }
  if (autoRenew) return isPastDue ? "On. The renewal is past due: pay it to keep access." : `On. ${notOnSale}`;
  const charge = offers.find(({ term }) => term === renewalTerm)?.nextCharge;
  return (
    <>
      Off. Your last day with access is {lastDayOfTerm(endDate)}.{" "}
      {charge
        ? `Turn it on, and we charge ${formatMoney(charge.amountCents)} on ${formatDay(charge.date)} ${forTerm}.`
        : null}
    </>
  );
};

/** The price of the renewal beside what was last paid for the same term, and why it moved. */
const PriceChange = ({ renewal: { amountCents, priceChange } }: Pick<Props["subscription"], "renewal">) => {
  if (amountCents === null || priceChange === null) return null;
  const { previousCents } = priceChange;
  return previousCents === amountCents
    ? "You paid the same last time."
    : `You last paid ${formatMoney(previousCents)} for this term. ${priceChangeInWords(priceChange)}`;
};

const Cancel = ({ subscription: { routeName, endDate, nextCharge } }: Props) => {
  const lastDay = lastDayOfTerm(endDate);
  const dropped = nextCharge
    ? `We do not charge the ${formatMoney(nextCharge.amountCents)} due on ${formatDay(nextCharge.date)}.`
    : "We charge nothing more.";
  return (
    <Act
      title="Cancel"
      consequence={`Your last day with access is ${lastDay}. ${dropped} Payments are not refunded.`}
      control={
        <Confirmation
          id="cancel"
          label="Cancel subscription"
          title={`Cancel the subscription to ${routeName}?`}
          intent="cancel"
          confirm="Yes, cancel subscription"
          keep="Keep subscription"
          pendingLabel="Cancelling…"
        >
          Your last day with access is {lastDay}. {dropped} You can resume until that day. Payments are not refunded.
        </Confirmation>
      }
    />
  );
};

const Resume = ({ subscription: { endDate, autoRenew } }: Props) => (
  <Act
    title="Resume"
    consequence={`You cancelled: your last day with access is ${lastDayOfTerm(endDate)}. Resuming undoes the cancellation${autoRenew ? " and turns auto-renewal on again" : "; auto-renewal stays off"}.`}
    control={
      <Form method="post" preventScrollReset>
        <SubmitButton name="intent" value="resume" pendingLabel="Resuming…">
          Resume subscription
        </SubmitButton>
      </Form>
    }
  />
);

const lastDayOfTerm = (endDate: Day): string => formatDay(lastDayOf(endDate));
const lastDayInWords = (endDate: Day): string => `Last day ${lastDayOfTerm(endDate)}`;

type ActProps = { title: string; consequence: ReactNode };

const Act = ({ title, consequence, control, children }: ActProps & { control?: ReactNode; children?: ReactNode }) => (
  <section className="grid gap-3 px-5 py-4">
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <ActText title={title} consequence={consequence} />
      {control}
    </div>
    {children}
  </section>
);

/** An act that needs a choice. Works without scripts. */
const OpenableAct = ({
  title,
  consequence,
  label,
  isPrimary = false,
  isOpen,
  children,
}: ActProps & { label: string; isPrimary?: boolean; isOpen: boolean; children: ReactNode }) => (
  <details className="group" open={isOpen || undefined}>
    <summary className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 transition-colors hover:bg-canvas focus-visible:-outline-offset-2">
      <ActText title={title} consequence={consequence} />
      <ButtonFace variant={isPrimary ? "primary" : "secondary"} icon="chevron-down">
        {label}
      </ButtonFace>
    </summary>
    <div className="px-5 pt-1 pb-5">{children}</div>
  </details>
);

const ActText = ({ title, consequence }: ActProps) => (
  <div className="min-w-0 flex-1 basis-72">
    <h3 className="font-semibold text-ink text-sm leading-6">{title}</h3>
    <p className="text-pretty text-muted text-sm leading-5.5">{consequence}</p>
  </div>
);
