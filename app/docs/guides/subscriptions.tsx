import { maxOpenOrders, maxOrderItems, priceLockInWords } from "../../domain/payments/order.ts";
import { customPricingInWords, routesInWords, volumeRanges } from "../../domain/pricing/volume-discount.ts";
import { chargeRetries, expiringSoonDays } from "../../domain/subscriptions/policy.ts";
import { chargeInWords, remindersInWords } from "../../domain/subscriptions/wording.ts";
import { counted } from "../../domain/wording.ts";
import { formatWord } from "../../portal/format.ts";
import type { GuideFacts } from "../guides.ts";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const Subscriptions = ({ terms }: GuideFacts) => (
  <Prose>
    <p>
      A subscription opens one route period for a term: the route's data, the period's reports, and the reports of the
      route's ended periods. It belongs to one account, cannot be paused, and is not refunded.
    </p>
    <Section id="prices" title="Prices">
      <p>
        A period's monthly price follows from its trade lane, its freshness and the route's popularity. A term costs the
        monthly price times its months, less two discounts that add up: one for the term, one for the number of routes.
      </p>
      <PlainTable
        caption="Discounts by term"
        head={["Term", "Written as", "Discount"]}
        rows={terms.map(({ term, discountPercent }) => [
          formatWord(term),
          <code key={term}>{term}</code>,
          `${discountPercent}%`,
        ])}
      />
      <PlainTable
        caption="Discounts by number of routes"
        head={["Running together", "Discount"]}
        rows={[
          ...volumeRanges.map((range) => [routesInWords(range), `${range.percent}%`]),
          [customPricingInWords, "As agreed with sales"],
        ]}
      />
      <p>The number counts the order's routes together with those the account has running.</p>
    </Section>
    <Section id="buying" title="Buying">
      <ol>
        <li>
          <code>POST /subscriptions/calculate-single-route-price</code>, or <code>calculate-subscription-price</code>{" "}
          for up to {maxOrderItems} routes.
        </li>
        <li>
          <code>POST /subscriptions/create-payment-intent</code> locks the price for {priceLockInWords}.
        </li>
        <li>
          Confirm the payment with Stripe and the <code>client_secret</code>, in a browser.
        </li>
        <li>
          <code>POST /subscriptions/payment-success</code> answers with the subscriptions. Access is immediate.
        </li>
      </ol>
      <p>Buying a period that is running already extends its subscription by the term.</p>
      <p>
        A payment counts if Stripe charges the card within those {priceLockInWords}. A later one is refunded in full:{" "}
        <code>payment-success</code> answers 409, and you get a mail and a credit note. An account has at most{" "}
        {maxOpenOrders} unpaid orders; opening another one cancels the oldest.
      </p>
    </Section>
    <Section id="states" title="States">
      <PlainTable
        caption="States of a subscription"
        head={["status", "Access", "When"]}
        rows={[
          [<code key="a">active</code>, "Yes", `More than ${counted(expiringSoonDays, "day")} are left.`],
          [
            <code key="e">expiring_soon</code>,
            "Yes",
            `${counted(expiringSoonDays, "day")} or fewer are left; reminders are sent.`,
          ],
          [
            <code key="c">cancelled</code>,
            "Until end_date",
            "Auto-renewal is off for good; resuming is possible until then.",
          ],
          [<code key="x">expired</code>, "No: 403", "end_date has come. Renewal or a new purchase restores access."],
        ]}
      />
    </Section>
    <Section id="renewal" title="Renewal">
      <p>
        With <code>auto_renew</code> the saved card is {chargeInWords}; <code>next_charge</code> tells when and how
        much. Reminders come {remindersInWords}. A declined charge is tried again once a day until the end, at most{" "}
        {counted(chargeRetries, "more time")}.
      </p>
    </Section>
  </Prose>
);
