import { maxOpenOrders, maxOrderItems, priceLockInWords } from "../../domain/payments/order.ts";
import { renewalCapInWords } from "../../domain/pricing/renewal-price.ts";
import { customPricingInWords, routesInWords, volumeRanges } from "../../domain/pricing/volume-discount.ts";
import { chargeRetries, expiringSoonDays } from "../../domain/subscriptions/policy.ts";
import { chargeInWords, remindersInWords } from "../../domain/subscriptions/wording.ts";
import { counted } from "../../domain/wording.ts";
import { formatWord } from "../../portal/format.ts";
import type { GuideFacts } from "../guides.ts";
import { PlainTable, Prose, Section } from "../prose.tsx";

export const Subscriptions = ({ terms, renewalCapPercent }: GuideFacts) => (
  <Prose>
    <p>
      A subscription gives you access to one period of a route for a term: the route's data, the period's reports, and
      the reports of earlier periods. It belongs to one account. It cannot be paused or refunded.
    </p>
    <Section id="prices" title="Prices">
      <p>
        The price per month of a period depends on its trade lane, its freshness and the route's popularity. The price
        of a term is the price per month times the number of months, less two discounts that add up: one for the term,
        one for the number of routes.
      </p>
      <PlainTable
        caption="Discounts by term"
        head={["Term", "Value in the API", "Discount"]}
        rows={terms.map(({ term, discountPercent }) => [
          formatWord(term),
          <code key={term}>{term}</code>,
          `${discountPercent}%`,
        ])}
      />
      <PlainTable
        caption="Discounts by number of routes"
        head={["Routes", "Discount"]}
        rows={[
          ...volumeRanges.map((range) => [routesInWords(range), `${range.percent}%`]),
          [customPricingInWords, "As agreed with sales"],
        ]}
      />
      <p>
        The number of routes includes those of the order and those of your active subscriptions. For custom pricing, the
        price endpoints return 422 with a <code>sales_url</code>, the page where you request a quote for the same order.
      </p>
      <p>
        <code>price_from</code> in the list of routes is the price that your account pays for one month. The portal
        shows the same price when you are signed in, and the list price otherwise.
      </p>
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
          Confirm the payment with Stripe. The response of the previous step has the <code>client_secret</code>, the{" "}
          <code>publishable_key</code> and the version of Stripe's API, as Stripe.js needs them in a browser.
        </li>
        <li>
          <code>POST /subscriptions/payment-success</code> returns the subscriptions. You have access immediately.
        </li>
      </ol>
      <p>
        On each line of an order, <code>total_cents</code> is <code>list_cents</code> less <code>discount_cents</code>{" "}
        and <code>credit_cents</code>. If you already subscribe to the period, the purchase extends that subscription by
        the term.
      </p>
      <p>
        Stripe must charge the card within those {priceLockInWords}. We refund a later payment in full:{" "}
        <code>payment-success</code> returns 409, and you get an e-mail and a credit note. An account can have{" "}
        {maxOpenOrders} unpaid orders; creating another one cancels the oldest.
      </p>
      <p>
        If you dispute a payment with your bank, we suspend the account until we have reviewed the dispute. If the bank
        returns the payment to you, the subscriptions that it paid for end that day, and the invoice shows the amount as{" "}
        <code>charged_back_cents</code>. Renew to restore access.
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
          [<code key="c">cancelled</code>, "Until end_date", "Auto-renewal is off. You can resume until end_date."],
          [
            <code key="x">expired</code>,
            "No: 403",
            "From end_date on, which is the first day without access. Renew or subscribe again to restore access.",
          ],
        ]}
      />
    </Section>
    <Section id="renewal" title="Renewal">
      <p>
        With <code>auto_renew</code> the saved card is {chargeInWords}. <code>next_charge</code> has the date and the
        amount. We send reminders {remindersInWords}. If a charge is declined, we retry once a day until the end, at
        most {counted(chargeRetries, "more time")}.
      </p>
      <p>
        <code>renewal</code> has the state: <code>scheduled</code>; <code>past_due</code> after a declined charge;{" "}
        <code>action_required</code> if your bank asks you to approve the payment; or <code>off</code>.{" "}
        <code>last_failure</code> has the reason and <code>next_attempt_on</code> the date of the next attempt. To pay
        earlier, call <code>POST /subscriptions/{"{id}"}/renew</code>. <code>price_change</code> compares the price with
        what you last paid for the same term.
      </p>
      <p>
        {renewalCapInWords(renewalCapPercent)} This applies while the subscription is active; an expired subscription
        renews at the current price.
      </p>
    </Section>
    <Section id="several" title="Several subscriptions">
      <p>
        <code>POST /subscriptions/renew</code> renews up to {maxOrderItems} subscriptions with one payment, each at its
        renewal price. If one of them cannot be renewed, the request is rejected and none is renewed.{" "}
        <code>POST /subscriptions/cancel</code> and <code>PUT /subscriptions/auto-renew</code> change every subscription
        that can be changed, and return a <code>reason</code> for each of the others.
      </p>
    </Section>
    <Section id="accounting" title="Accounting">
      <p>
        <code>GET /subscriptions/invoices</code> returns all invoices and credit notes with their lines, and{" "}
        <code>GET /subscriptions/invoices/export</code> returns them as CSV.{" "}
        <code>GET /subscriptions/statements/{"{month}"}</code> returns the statement of a month, with its opening and
        closing balance.
      </p>
    </Section>
  </Prose>
);
