import { lastDayOf } from "../dates.ts";
import { currency, money } from "../money.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { dayInWords } from "../wording.ts";
import type { CalendarEvent } from "./ical.ts";

/** One event per active subscription: its next charge, or its end if nothing will be charged. */
export const renewalEvents = (subscriptions: readonly Subscription[], appUrl: string): CalendarEvent[] =>
  subscriptions
    .filter(({ status }) => status !== "expired")
    .map((subscription) => {
      const { id, routeName, routeCode, endDate, nextCharge } = subscription;
      const shared = {
        // A renewal moves the end, and is then another event.
        uid: `subscription-${id}-${endDate}@${new URL(appUrl).hostname}`,
        url: `${appUrl}/subscriptions/${id}`,
      };
      if (!nextCharge) {
        const description = `The subscription to ${routeCode} does not renew automatically. Renew it to keep access.`;
        return { ...shared, day: lastDayOf(endDate), summary: `Last day with access: ${routeName}`, description };
      }
      const amount = money(nextCharge.amountCents, currency);
      return {
        ...shared,
        day: nextCharge.date,
        summary: `Renewal: ${routeName}, ${amount}`,
        description: `The subscription to ${routeCode} renews automatically for ${amount}. Without a renewal, the last day with access is ${dayInWords(lastDayOf(endDate))}.`,
      };
    });
