import { Form, Link } from "@remix-run/react";
import { volumeDiscountsInWords } from "#app/domain/pricing/volume-discount.ts";
import { chargeInWords } from "#app/domain/subscriptions/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { RadioCards } from "#app/portal/components/radio-cards.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";

export type Offer = {
  /** Id of the period. */
  id: number;
  name: string;
  freshness: string;
  startsOn: string;
  monthlyCents: number;
  /** The price of each term. */
  lines: { term: string; months: number; totalCents: number; discountPercent: number }[];
};

type Props = {
  offers: readonly Offer[];
  /** Index of the chosen offer. */
  chosen: number;
  problem: FormProblem | undefined;
  signedIn: boolean;
  /** The account has access already, so buying extends it. */
  extending: boolean;
  routeId: number;
};

/** The form that starts a purchase, with the terms and their prices. */
export const SubscribeCard = ({ offers, chosen, problem, signedIn, extending, routeId }: Props) => {
  const offer = offers[chosen];
  if (!offer) return <Alert title="Nothing on sale">This route has no open period at the moment.</Alert>;
  return (
    <Card
      title={extending ? "Extend your subscription" : "Subscribe"}
      description={
        extending
          ? "The term you choose is added to the end of what is running."
          : "Access begins as soon as the payment has gone through."
      }
      actions={<Badge tone="accent">{formatWord(offer.freshness)} data</Badge>}
      footer={`Off everything, by running routes: ${volumeDiscountsInWords} Prices in US dollars.`}
    >
      {offers.length > 1 ? (
        <div className="mb-5">
          <Tabs
            label="Offers"
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
          label="Term"
          defaultValue={problem?.values.term ?? "3_months"}
          error={errorOf(problem?.fields, "term")}
          options={offer.lines.map((line) => ({
            value: line.term,
            title: line.months === 1 ? "1 month" : `${line.months} months`,
            detail: `${formatMoney(Math.round(line.totalCents / line.months))} a month`,
            aside: formatMoney(line.totalCents),
            badge: line.discountPercent > 0 ? <Badge tone="success">Save {line.discountPercent}%</Badge> : undefined,
          }))}
        />
        <div className="grid content-start gap-5">
          <Included offer={offer} />
          <CheckboxField
            name="auto_renew"
            label="Renew automatically"
            hint={`The same card is ${chargeInWords}. Switch it off whenever you like.`}
            defaultChecked
          />
          <Buttons signedIn={signedIn} routeId={routeId} />
          <p className="text-[0.8125rem] text-muted leading-5">
            For one account. Cannot be paused, is not refunded. More in the{" "}
            <Link to="/docs/subscriptions" className="link">
              documentation
            </Link>
            .
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
      {[`${formatWord(offer.freshness)} data from ${formatDay(offer.startsOn)} on`, ...included].map((text) => (
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

const Buttons = ({ signedIn, routeId }: Pick<Props, "signedIn" | "routeId">) =>
  signedIn ? (
    <div className="flex flex-wrap gap-2.5">
      <SubmitButton name="intent" value="subscribe" pendingLabel="Locking the price…">
        Continue to payment
      </SubmitButton>
      <SubmitButton name="intent" value="add" variant="secondary" pendingLabel="Adding…">
        Add to basket
      </SubmitButton>
    </div>
  ) : (
    <ButtonLink to={`/sign-in?next=/routes/${routeId}`} variant="primary">
      Sign in to subscribe
    </ButtonLink>
  );
