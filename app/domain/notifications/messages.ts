/** The content of all mails. `text.ts` and `html.ts` render it. @spec States and transitions (reminders) */
import { type Day, isoInstant } from "../dates.ts";
import { type PlanLimits, storageInWords } from "../plans/plans.ts";
import { counted, grouped } from "../wording.ts";

export type Fact = { label: string; value: string };

export type Message = {
  subject: string;
  /** What happened, and what follows. */
  paragraphs: readonly string[];
  facts: readonly Fact[];
  /** The call to action. */
  action: { lead: string; label: string; url: string };
  /** The site's address, without a trailing slash. */
  appUrl: string;
};

export type MailedSubscription = { routeName: string; endDate: Day };

type Receipt = {
  invoice: string;
  amountCents: number;
  currency: string;
  lines: { routeName: string; startDate: Day; endDate: Day; totalCents: number }[];
};

export const receipt = (appUrl: string, { invoice, amountCents, currency, lines }: Receipt): Message => ({
  appUrl,
  subject: `Your receipt: invoice ${invoice}`,
  paragraphs: [
    `Thank you. We have received your payment of ${money(amountCents, currency)}.`,
    "Access is open until the end date of each line, which is its first day without access.",
  ],
  facts: lines.map((line) => ({
    label: line.routeName,
    value: `${line.startDate} to ${line.endDate}, ${money(line.totalCents, currency)}`,
  })),
  action: { lead: "Your invoices", label: "See your invoices", url: `${appUrl}/billing` },
});

export type ComingCharge = { date: Day; amountCents: number; currency: string };

/** @param charge the coming charge of auto-renewal; null when nothing will be charged */
export const reminder = (
  appUrl: string,
  { routeName, endDate }: MailedSubscription,
  daysLeft: number,
  charge: ComingCharge | null,
): Message => {
  const when = inDays(daysLeft);
  const facts = [
    { label: "Route", value: routeName },
    { label: "Ends on", value: endDate },
  ];
  if (!charge) {
    return {
      appUrl,
      subject: `${routeName} ends ${when}`,
      paragraphs: [`Your subscription to ${routeName} ends ${when}, on ${endDate}. It does not renew by itself.`],
      facts,
      action: { lead: "To keep access, renew it", label: "Renew it", url: `${appUrl}/subscriptions` },
    };
  }
  return {
    appUrl,
    subject: `${routeName} renews on ${charge.date}`,
    paragraphs: [
      `Your subscription to ${routeName} ends ${when}, on ${endDate}, and renews by itself.`,
      `We will charge your card ${money(charge.amountCents, charge.currency)} on ${charge.date}. This price will not change unless you change the term.`,
    ],
    facts: [
      ...facts,
      { label: "Charge on", value: charge.date },
      { label: "Amount", value: money(charge.amountCents, charge.currency) },
    ],
    action: {
      lead: "To change the term, turn auto-renewal off or cancel",
      label: "Manage the subscription",
      url: `${appUrl}/subscriptions`,
    },
  };
};

const inDays = (days: number): string => (days === 1 ? "tomorrow" : `in ${days} days`);

/** For a subscription that should have renewed, but no charge has succeeded. */
export const lastReminder = (
  appUrl: string,
  { routeName, endDate }: MailedSubscription,
  daysLeft: number,
): Message => ({
  appUrl,
  subject: `${routeName} ends ${inDays(daysLeft)}: the renewal has not been paid`,
  paragraphs: [
    `Your subscription to ${routeName} ends on ${endDate}. It should have renewed by itself, but no charge has succeeded.`,
  ],
  facts: [
    { label: "Route", value: routeName },
    { label: "Ends on", value: endDate },
  ],
  action: {
    lead: "To keep access, renew it with another card",
    label: "Renew it",
    url: `${appUrl}/subscriptions`,
  },
});

type FailedCharge = MailedSubscription & {
  subscriptionId: number;
  amountCents: number;
  currency: string;
  /** The day of the next attempt. Null after the last one. */
  nextTry: Day | null;
};

export const chargeFailed = (appUrl: string, charge: FailedCharge): Message => ({
  appUrl,
  subject: `The renewal of ${charge.routeName} could not be charged`,
  paragraphs: [
    `Your card was declined when we tried to charge ${money(charge.amountCents, charge.currency)} to renew your subscription to ${charge.routeName}, which ends on ${charge.endDate}.`,
    whatNext(charge),
  ],
  facts: factsOf(charge),
  action: renewWithAnotherCard(appUrl),
});

/** The account has no card, or the provider no longer has it. */
export const cardMissing = (appUrl: string, charge: FailedCharge): Message => ({
  appUrl,
  subject: `There is no card to renew ${charge.routeName} with`,
  paragraphs: [
    `Your subscription to ${charge.routeName} ends on ${charge.endDate} and should renew by itself for ${money(charge.amountCents, charge.currency)}, but your account has no card that can be charged.`,
    whatNext(charge),
  ],
  facts: factsOf(charge),
  action: renewWithAnotherCard(appUrl),
});

/** The bank requires authentication (SCA) by the cardholder. */
export const authenticationNeeded = (appUrl: string, charge: FailedCharge): Message => ({
  appUrl,
  subject: `Your bank asks you to approve the renewal of ${charge.routeName}`,
  paragraphs: [
    `Your bank wants you to approve the charge of ${money(charge.amountCents, charge.currency)} that renews your subscription to ${charge.routeName}, which ends on ${charge.endDate}. We cannot do that without you.`,
  ],
  facts: factsOf(charge),
  action: {
    lead: "Renew it yourself and approve the payment when your bank asks",
    label: "Renew and approve",
    url: `${appUrl}/subscriptions/${charge.subscriptionId}`,
  },
});

const whatNext = ({ nextTry }: FailedCharge): string =>
  nextTry ? `We will try again on ${nextTry}. You need not wait.` : "We will not try again.";

const factsOf = (charge: FailedCharge): Fact[] => [
  { label: "Route", value: charge.routeName },
  { label: "Ends on", value: charge.endDate },
  { label: "Amount", value: money(charge.amountCents, charge.currency) },
];

const renewWithAnotherCard = (appUrl: string) => ({
  lead: "To keep access, renew with another card",
  label: "Renew with another card",
  url: `${appUrl}/subscriptions`,
});

export const expired = (appUrl: string, { routeName, endDate }: MailedSubscription): Message => ({
  appUrl,
  subject: `${routeName} has ended`,
  paragraphs: [
    `Your subscription to ${routeName} ended on ${endDate}. Its data can no longer be read; what you have downloaded stays yours, and your usage records are kept.`,
  ],
  facts: [
    { label: "Route", value: routeName },
    { label: "Ended on", value: endDate },
  ],
  action: { lead: "Renewing restores access at once", label: "Renew it", url: `${appUrl}/subscriptions` },
});

export const refunded = (
  appUrl: string,
  refund: { creditNote: string; amountCents: number; currency: string; orderId: number },
): Message => ({
  appUrl,
  subject: `Your refund: credit note ${refund.creditNote}`,
  paragraphs: [
    `We have refunded ${money(refund.amountCents, refund.currency)} of your payment for order ${refund.orderId}. It reaches your card within some days.`,
  ],
  facts: [
    { label: "Credit note", value: refund.creditNote },
    { label: "Order", value: String(refund.orderId) },
    { label: "Amount", value: money(refund.amountCents, refund.currency) },
  ],
  action: { lead: "Your credit notes", label: "See your credit notes", url: `${appUrl}/billing` },
});

type ReturnedPayment = {
  orderId: number;
  kind: "purchase" | "renewal" | "term_change";
  amountCents: number;
  currency: string;
  reason: "paid_too_late" | "account_suspended";
  /** When the price lock ended. */
  expiresAt: Date;
};

/** The payment was not used and is refunded in full. */
export const paymentReturned = (appUrl: string, payment: ReturnedPayment): Message => {
  const amount = money(payment.amountCents, payment.currency);
  const lockedUntil = `${payment.expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const isLate = payment.reason === "paid_too_late";
  const [lead, label, path] = !isLate
    ? ["To talk to us about it", "Write to support", "/support"]
    : payment.kind === "purchase"
      ? ["To buy at today's price, begin again", "Open your basket", "/basket"]
      : ["To pay today's price, begin again", "Open your subscriptions", "/subscriptions"];
  return {
    appUrl,
    subject: `We are refunding your payment of ${amount}`,
    paragraphs: [
      isLate
        ? `Your payment of ${amount} for order ${payment.orderId} was made after its price lock had ended, so it bought nothing.`
        : `Your account is suspended, so your payment of ${amount} for order ${payment.orderId} bought nothing.`,
      "We are refunding it in full. The money reaches your card within some days, and a credit note follows by mail.",
    ],
    facts: [
      { label: "Order", value: String(payment.orderId) },
      { label: "Refund", value: amount },
      ...(isLate ? [{ label: "Price locked until", value: lockedUntil }] : []),
    ],
    action: { lead, label, url: `${appUrl}${path}` },
  };
};

type PlanChange = {
  from: string;
  to: string;
  reason: string;
  limits: PlanLimits;
};

export const planChanged = (appUrl: string, { from, to, reason, limits }: PlanChange): Message => ({
  appUrl,
  subject: `Your plan is now ${to}`,
  paragraphs: [`We have moved your account from the ${from} plan to the ${to} plan. It applies at once.`, reason],
  facts: [
    { label: "Requests", value: `${grouped(limits.hourly)} an hour, ${limits.burst} a second` },
    { label: "API keys", value: limits.maxApiKeys === null ? "unlimited" : `up to ${limits.maxApiKeys}` },
    { label: "Request log", value: `kept ${storageInWords(limits.storageDays)}` },
  ],
  action: { lead: "Your plan and its limits", label: "See your plan", url: `${appUrl}/account` },
});

export const accountSuspended = (appUrl: string, { reason }: { reason: string }): Message => ({
  appUrl,
  subject: "Your account is suspended",
  paragraphs: [
    "We have suspended your account. Its routes' data is closed, in the portal and by API, and nothing is charged while it is.",
    reason,
  ],
  facts: [],
  action: { lead: "To talk to us about it", label: "Write to support", url: `${appUrl}/support` },
});

export const accountRestored = (appUrl: string, { reason }: { reason: string }): Message => ({
  appUrl,
  subject: "Your account is in good standing again",
  paragraphs: ["Your account is no longer suspended. The data of your running subscriptions is open again.", reason],
  facts: [],
  action: { lead: "Your subscriptions", label: "See your subscriptions", url: `${appUrl}/subscriptions` },
});

export const keyCreated = (appUrl: string, key: { name: string; user: string; displayPrefix: string }): Message => ({
  appUrl,
  subject: "An API key was created",
  paragraphs: ["An API key was created in your account. It opens all of your account's data."],
  facts: [
    { label: "Name", value: key.name },
    { label: "Key", value: `${key.displayPrefix}…` },
    { label: "User", value: key.user },
  ],
  action: {
    lead: "If this was not you, delete the key and change your password",
    label: "Look at your keys",
    url: `${appUrl}/api-keys`,
  },
});

/** @param signedOut the sessions that the change ended */
export const passwordChanged = (
  appUrl: string,
  signedOut: "every session" | "every other session" = "every other session",
): Message => ({
  appUrl,
  subject: "Your password was changed",
  paragraphs: [`The password of your account was changed, and ${signedOut} was signed out. API keys work as before.`],
  facts: [],
  action: {
    lead: "If this was not you, set a new password at once",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

/** @param link lets its holder set a new password; valid once, for `minutes` */
export const passwordReset = (appUrl: string, { link, minutes }: { link: string; minutes: number }): Message => ({
  appUrl,
  subject: "Set a new password",
  paragraphs: [
    "Somebody, probably you, has asked to set a new password for your account.",
    `The link below does that. It works once, and for ${minutes} minutes. If you have not asked for it, ignore this message: your password stays as it is.`,
  ],
  facts: [],
  action: { lead: "To set a new password, open", label: "Set a new password", url: link },
});

type Link = { link: string; hours: number };

/** @param link confirms the address; valid once */
export const confirmEmail = (appUrl: string, { link, hours }: Link): Message => ({
  appUrl,
  subject: "Confirm your e-mail address",
  paragraphs: [
    "An account was opened with this e-mail address. Confirm that it is yours, so that receipts, reminders and links for a new password reach you.",
    `The link works once, and for ${hours} hours. If you have not opened an account, ignore this message.`,
  ],
  facts: [],
  action: { lead: "To confirm it, open", label: "Confirm the address", url: link },
});

/** To the new address. @param link confirms the change; valid once */
export const confirmNewEmail = (appUrl: string, { link, hours, username }: Link & { username: string }): Message => ({
  appUrl,
  subject: "Confirm your new e-mail address",
  paragraphs: [
    `The account ${username} is to have this e-mail address. Until you confirm it, everything stays as it is.`,
    `The link works once, and for ${hours} hours. If you have not asked for this, ignore this message.`,
  ],
  facts: [],
  action: { lead: "To confirm it, open", label: "Confirm the new address", url: link },
});

/** To the current address, while the change can still be cancelled. */
export const emailChangeRequested = (appUrl: string, { email }: { email: string }): Message => ({
  appUrl,
  subject: "A change of your e-mail address was requested",
  paragraphs: [
    "Somebody who gave your password asked to change the e-mail address of your account. It changes as soon as the new address is confirmed. Until then this one stays.",
    "If this was you, there is nothing to do here: open the link that we sent to the new address.",
  ],
  facts: [{ label: "New address", value: email }],
  action: {
    lead: "If this was not you, set a new password at once: that cancels the change",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

/** To the previous address. */
export const emailChanged = (appUrl: string, { email }: { email: string }): Message => ({
  appUrl,
  subject: "Your e-mail address was changed",
  paragraphs: [
    "The e-mail address of your account was changed, after the password was given and the new address confirmed. This one gets no more mail about it.",
  ],
  facts: [{ label: "New address", value: email }],
  action: {
    lead: "If this was not you, write to us at once",
    label: "Write to support",
    url: `${appUrl}/support`,
  },
});

export const twoFactorTurned = (appUrl: string, turned: "on" | "off"): Message => ({
  appUrl,
  subject: `Two-factor sign-in was turned ${turned}`,
  paragraphs: [
    turned === "on"
      ? "From now on signing in to your account asks for a code from your authenticator app besides the password. Keep your recovery codes where you find them without your phone. API keys work as before."
      : "From now on the password alone signs in to your account. Your recovery codes are void.",
  ],
  facts: [],
  action: {
    lead: "If this was not you, set a new password at once",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

/** After an operator removed it for a holder who lost both phone and recovery codes. */
export const twoFactorRemoved = (appUrl: string, { reason }: { reason: string }): Message => ({
  appUrl,
  subject: "We have turned off two-factor sign-in for you",
  paragraphs: [
    "We were asked to turn off two-factor sign-in of your account, as phone and recovery codes were lost. From now on the password alone signs in. Every session was signed out; API keys work as before.",
    reason,
    "If you asked for this, sign in and set it up again with your new phone, in your account under Security.",
    "If you did not, somebody else may know your password: set a new one, then write to our support.",
  ],
  facts: [],
  action: {
    lead: "If you did not ask for it, set a new password at once",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

export const recoveryCodeUsed = (appUrl: string, { left }: { left: number }): Message => ({
  appUrl,
  subject: "A recovery code was used",
  paragraphs: [
    `One of your recovery codes was used in place of a code from your authenticator app. It does not work again; ${left === 0 ? "there is none left" : `${left} ${left === 1 ? "is" : "are"} left`}.`,
  ],
  facts: [],
  action: {
    lead: "To make new ones, or if this was not you",
    label: "Open Security",
    url: `${appUrl}/account/security`,
  },
});

/** The last message to the address of a closed account. */
export const accountClosed = (appUrl: string): Message => ({
  appUrl,
  subject: "Your account is closed",
  paragraphs: [
    "Your account was closed, as you asked. Its subscriptions have ended, its API keys are deleted, and its cards are no longer saved. We keep its invoices, as the law asks of us.",
    "This address and your username are free again. We write no more.",
  ],
  facts: [],
  action: { lead: "If this was not you, write to us from", label: "Our site", url: appUrl },
});

type SignInPlace = { at: Date; address: string; program: string; by: "portal" | "bearer" };

/** A sign-in from an unknown address or program. */
export const newPlace = (appUrl: string, { at, address, program, by }: SignInPlace): Message => ({
  appUrl,
  subject: "A sign-in from a new place",
  paragraphs: [
    "Your account was signed in to from an address or with a program that we have not seen with it before. If this was you, there is nothing to do.",
  ],
  facts: [
    { label: "When", value: `${at.toISOString().slice(0, 16).replace("T", " ")} UTC` },
    { label: "From", value: address },
    { label: "With", value: program },
    { label: "Opened", value: by === "portal" ? "the portal" : "a bearer token for the API" },
  ],
  action: {
    lead: "If this was not you, sign it out and change your password",
    label: "Look at your sessions",
    url: `${appUrl}/account/security`,
  },
});

type MailedRequest = { id: number; subject: string; topic: string };

/** To operators: a new support request, or a new message in one. */
export const supportArrived = (
  appUrl: string,
  request: MailedRequest & { username: string; plan: string; body: string },
): Message => ({
  appUrl,
  subject: `Support request ${request.id}: ${request.subject}`,
  paragraphs: paragraphsOf(request.body),
  facts: [
    { label: "From", value: `${request.username} (${request.plan} plan)` },
    { label: "Topic", value: request.topic },
  ],
  action: { lead: "To answer, open", label: "Open the request", url: `${appUrl}/operations/support/${request.id}` },
});

/** To the holder: the answer. @param closed whether the request was closed with it */
export const supportAnswered = (
  appUrl: string,
  request: MailedRequest & { body: string; closed: boolean },
): Message => ({
  appUrl,
  subject: `Answer to your support request ${request.id}: ${request.subject}`,
  paragraphs: [
    ...paragraphsOf(request.body),
    ...(request.closed ? ["We have closed the request. A reply opens it again."] : []),
  ],
  facts: [],
  action: { lead: "To reply, open", label: "Reply", url: `${appUrl}/support/${request.id}` },
});

export const supportClosed = (appUrl: string, request: MailedRequest): Message => ({
  appUrl,
  subject: `Your support request ${request.id} is closed: ${request.subject}`,
  paragraphs: ["We have closed your request. If it is not settled for you, reply: that opens it again."],
  facts: [],
  action: { lead: "To read it, open", label: "Open the request", url: `${appUrl}/support/${request.id}` },
});

type LatePeriod = { routeName: string; routeCode: string; name: string; dataAsOf: Date | null };

const latePeriodsListed = 20;

/** To operators: periods whose next observation is overdue. */
export const dataLate = (appUrl: string, periods: readonly LatePeriod[]): Message => {
  const count = counted(periods.length, "period");
  const unlisted = periods.length - latePeriodsListed;
  return {
    appUrl,
    subject: `Late data: ${count}`,
    paragraphs: [
      `The data of ${count} is older than promised. Subscribers see that it is late.`,
      ...(unlisted > 0
        ? [`These are the ${latePeriodsListed} that have waited longest; ${grouped(unlisted)} more are late.`]
        : []),
    ],
    facts: periods.slice(0, latePeriodsListed).map(({ routeName, routeCode, name, dataAsOf }) => ({
      label: `${routeName} (${routeCode}), ${name}`,
      value: dataAsOf === null ? "no data yet" : `data as of ${isoInstant(dataAsOf)}`,
    })),
    action: { lead: "To see all late data, open", label: "See late data", url: `${appUrl}/operations/periods` },
  };
};

const paragraphsOf = (body: string): string[] => body.split(/\n+/).filter((line) => line.trim() !== "");

/** An amount in minor units of a currency with two decimals: `USD 1,234.50`. */
const money = (cents: number, currency: string): string => {
  const [whole, fraction] = (cents / 100).toFixed(2).split(".");
  return `${currency} ${grouped(Number(whole))}.${fraction}`;
};
