/** The texts of all mail. Pure; plain text in lines that any mail program shows as they are. @spec States (reminders) */
import type { Day } from "../dates.ts";

export type Message = { subject: string; text: string };

export type MailedSubscription = { routeName: string; endDate: Day };

type Receipt = {
  invoice: string;
  amountCents: number;
  currency: string;
  lines: { routeName: string; startDate: Day; endDate: Day; totalCents: number }[];
};

export const receipt = (appUrl: string, { invoice, amountCents, currency, lines }: Receipt): Message =>
  message(
    appUrl,
    `Your receipt: invoice ${invoice}`,
    `Thank you. We have received your payment of ${money(amountCents, currency)}.`,
    lines
      .map((line) => `- ${line.routeName}: ${line.startDate} to ${line.endDate}, ${money(line.totalCents, currency)}`)
      .join("\n"),
    `Access is open until the end date of each line, which is its first day without access. Your invoices: ${appUrl}/billing`,
  );

export type ComingCharge = { date: Day; amountCents: number; currency: string };

/** @param charge what auto-renewal will charge; null when nothing will be */
export const reminder = (
  appUrl: string,
  { routeName, endDate }: MailedSubscription,
  daysLeft: number,
  charge: ComingCharge | null,
): Message => {
  const when = daysLeft === 1 ? "tomorrow" : `in ${daysLeft} days`;
  return charge
    ? message(
        appUrl,
        `${routeName} renews on ${charge.date}`,
        `Your subscription to ${routeName} ends ${when}, on ${endDate}, and renews by itself.`,
        `We will charge your card ${money(charge.amountCents, charge.currency)} on ${charge.date}. This is today's price; the price of that day applies.`,
        `To change the term, turn auto-renewal off or cancel: ${appUrl}/subscriptions`,
      )
    : message(
        appUrl,
        `${routeName} ends ${when}`,
        `Your subscription to ${routeName} ends ${when}, on ${endDate}. It does not renew by itself.`,
        `To keep access, renew it: ${appUrl}/subscriptions`,
      );
};

/** The end is near, and the charges made so far were declined. */
export const lastReminder = (appUrl: string, { routeName, endDate }: MailedSubscription): Message =>
  message(
    appUrl,
    `${routeName} ends tomorrow: the renewal has not been paid`,
    `Your subscription to ${routeName} ends on ${endDate}. It should have renewed by itself, but no charge has succeeded.`,
    `To keep access, renew it with another card: ${appUrl}/subscriptions`,
  );

type FailedCharge = MailedSubscription & {
  amountCents: number;
  currency: string;
  /** When it is tried again; null when this was the last time. */
  nextTry: Day | null;
};

export const chargeFailed = (appUrl: string, charge: FailedCharge): Message =>
  message(
    appUrl,
    `The renewal of ${charge.routeName} could not be charged`,
    `Your card was declined when we tried to charge ${money(charge.amountCents, charge.currency)} to renew your subscription to ${charge.routeName}, which ends on ${charge.endDate}.`,
    whatNext(appUrl, charge),
  );

/** There is no card, or it is gone. */
export const cardMissing = (appUrl: string, charge: FailedCharge): Message =>
  message(
    appUrl,
    `There is no card to renew ${charge.routeName} with`,
    `Your subscription to ${charge.routeName} ends on ${charge.endDate} and should renew by itself for ${money(charge.amountCents, charge.currency)}, but your account has no card that can be charged.`,
    whatNext(appUrl, charge),
  );

/** The bank wants the card's holder to approve the payment. */
export const authenticationNeeded = (appUrl: string, charge: FailedCharge): Message =>
  message(
    appUrl,
    `Your bank asks you to approve the renewal of ${charge.routeName}`,
    `Your bank wants you to approve the charge of ${money(charge.amountCents, charge.currency)} that renews your subscription to ${charge.routeName}, which ends on ${charge.endDate}. We cannot do that without you.`,
    `Renew it yourself and approve the payment when your bank asks: ${appUrl}/subscriptions`,
  );

const whatNext = (appUrl: string, { nextTry }: FailedCharge): string =>
  nextTry
    ? `We will try again on ${nextTry}. You need not wait: renew with another card at ${appUrl}/subscriptions`
    : `We will not try again. To keep access, renew with another card: ${appUrl}/subscriptions`;

export const expired = (appUrl: string, { routeName, endDate }: MailedSubscription): Message =>
  message(
    appUrl,
    `${routeName} has ended`,
    `Your subscription to ${routeName} ended on ${endDate}. Its data can no longer be read; what you have downloaded stays yours, and your usage records are kept.`,
    `Renewing restores access at once: ${appUrl}/subscriptions`,
  );

export const refunded = (
  appUrl: string,
  refund: { creditNote: string; amountCents: number; currency: string; orderId: number },
): Message =>
  message(
    appUrl,
    `Your refund: credit note ${refund.creditNote}`,
    `We have refunded ${money(refund.amountCents, refund.currency)} of your payment for order ${refund.orderId}. It reaches your card within some days.`,
    `Your credit notes: ${appUrl}/billing`,
  );

export const keyCreated = (appUrl: string, key: { name: string; user: string; displayPrefix: string }): Message =>
  message(
    appUrl,
    "An API key was created",
    `The API key "${key.name}" (${key.displayPrefix}…, for the user ${key.user}) was created in your account. It opens all of your account's data.`,
    `If this was not you, delete the key and change your password: ${appUrl}/api-keys`,
  );

export const passwordChanged = (appUrl: string): Message =>
  message(
    appUrl,
    "Your password was changed",
    "The password of your account was changed, and every other session was signed out.",
    `If this was not you, answer this message at once. Your sessions and your account's activity: ${appUrl}/account`,
  );

const message = (appUrl: string, subject: string, ...paragraphs: string[]): Message => ({
  subject,
  text: `${[...paragraphs, `Shipping Route Data Service\n${appUrl}`].join("\n\n")}\n`,
});

/** Minor units of a currency with two decimals: `USD 1,234.50`. */
const money = (cents: number, currency: string): string => {
  const [whole, fraction] = (cents / 100).toFixed(2).split(".");
  return `${currency} ${whole?.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
};
