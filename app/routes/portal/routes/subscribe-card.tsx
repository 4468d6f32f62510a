import { Form, Link } from "@remix-run/react";
import { volumeDiscountsInWords } from "#app/domain/pricing/volume-discount.ts";
import { chargeInWords } from "#app/domain/subscriptions/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { ListPrice } from "#app/portal/components/price.tsx";
import { RadioCards } from "#app/portal/components/radio-cards.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import type { PriceView } from "#app/portal/price-view.ts";
import type { Choice } from "./choice.ts";

export type Offer = {
  /** Id of the period. */
  id: number;
  name: string;
  freshness: string;
  startsOn: string;
  /** The price of each term. */
  lines: { term: string; months: number; price: PriceView }[];
};

type Props = {
  offers: readonly Offer[];
  /** Index of the chosen offer. */
  chosen: number;
  /** What the form shows first. */
  choice: Pick<Choice, "term" | "autoRenew">;
  problem: FormProblem | undefined;
  signedIn: boolean;
  /** The account has access already, so buying extends it. */
  extending: boolean;
  /** Tax is added at the checkout. */
  beforeTax: boolean;
};

/** The form that starts a purchase, with the terms and their prices. */
export const SubscribeCard = ({ offers, chosen, choice, problem, signedIn, extending, beforeTax }: Props) => {
  const offer = offers[chosen];
  if (!offer) return <Alert title="Not on sale">This route has no period on sale right now.</Alert>;
  return (
    <Card
      title={extending ? "Extend your subscription" : "Subscribe"}
      description={
        extending
          ? "The new term starts when your current term ends."
          : "Access starts as soon as your payment succeeds."
      }
      actions={<Badge tone="accent">{formatWord(offer.freshness)} data</Badge>}
      footer={`Volume discounts count all your active routes. ${volumeDiscountsInWords} ${signedIn ? "Prices" : "List prices less the term discount,"} in US dollars${beforeTax ? ", before tax" : ""}.`}
    >
      {offers.length > 1 ? (
        <div className="mb-5">
          <Tabs
            label="Periods on sale"
            tabs={offers.map(({ id, freshness, name }) => ({
              label: `${formatWord(freshness)}, ${name}`,
              to: `?offer=${id}#subscribe`,
              current: id === offer.id,
            }))}
          />
        </div>
      ) : null}
      <Form method="post" className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        {problem ? (
          <div className="lg:col-span-2">
            <FormError message={problem.message} fields={problem.fields} />
          </div>
        ) : null}
        <input type="hidden" name="period_id" value={offer.id} />
        <RadioCards
          name="term"
          label={signedIn ? "Term and your price" : "Term and price"}
          defaultValue={problem?.values.term ?? choice.term}
          error={errorOf(problem?.fields, "term")}
          options={offer.lines.map((line) => ({
            value: line.term,
            title: line.months === 1 ? "1 month" : `${line.months} months`,
            detail: [`${formatMoney(Math.round(line.price.cents / line.months))} per month`, line.price.reason]
              .filter(Boolean)
              .join(", "),
            aside: (
              <span className="grid">
                <ListPrice {...line.price} />
                {formatMoney(line.price.cents)}
              </span>
            ),
          }))}
        />
        <div className="grid content-start gap-5">
          <Included offer={offer} />
          <CheckboxField
            name="auto_renew"
            label="Renew automatically"
            hint={`The same card is ${chargeInWords}. You can turn this off at any time.`}
            defaultChecked={problem ? problem.values.auto_renew === "on" : choice.autoRenew}
          />
          <Buttons signedIn={signedIn} />
          <p className="text-[0.8125rem] text-muted leading-5">
            For one account. No pauses or refunds.{" "}
            <Link to="/docs/subscriptions" className="link">
              How subscriptions work
            </Link>
          </p>
        </div>
      </Form>
    </Card>
  );
};

const Included = ({ offer }: { offer: Offer }) => (
  <div>
    <p className="font-medium text-ink text-sm">Every term includes</p>
    <ul className="mt-2 grid gap-1.5 text-muted text-sm leading-6">
      {[`${formatWord(offer.freshness)} data from ${formatDay(offer.startsOn)}`, ...included].map((text) => (
        <li key={text} className="flex gap-2">
          <Icon name="check" className="mt-1 size-4 text-success" />
          {text}
        </li>
      ))}
    </ul>
  </div>
);

const included = [
  "History of the route, where available",
  "The portal, the API and files to download",
  "Usage analytics and technical support",
];

const Buttons = ({ signedIn }: Pick<Props, "signedIn">) => (
  <div className="grid gap-2.5">
    <div className="flex flex-wrap gap-2.5">
      <SubmitButton name="intent" value="subscribe" pendingLabel={signedIn ? "Locking the price…" : "Continuing…"}>
        {signedIn ? "Continue to payment" : "Subscribe"}
      </SubmitButton>
      <SubmitButton name="intent" value="add" variant="secondary" pendingLabel="Adding…">
        Add to basket
      </SubmitButton>
    </div>
    {signedIn ? null : (
      <p className="text-[0.8125rem] text-muted leading-5">Next, create an account or sign in. We keep your choice.</p>
    )}
  </div>
);
